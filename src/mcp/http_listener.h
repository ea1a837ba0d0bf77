// The stream on which a legacy server speaks without having been asked: a GET that stays open, on
// a thread of its own, opened again whenever it ends.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

#include "mcp/http_endpoint.h"
#include "mcp/http_session.h"

namespace goondan::mcp {

// Streams that bring nothing are tried less and less often, up to this.
inline constexpr std::chrono::milliseconds kMaxBackoff{30'000};

// Thread-safe. Borrows all for its life; its end ends the stream.
class HttpListener {
 public:
  struct Parts {
    HttpEndpoint& endpoint;
    HttpSession& session;
    OnMessage on_message;
    std::function<void(LogLevel, std::string_view)> log;
  };

  explicit HttpListener(Parts parts) : parts_(std::move(parts)) {}

  // Once; again it does nothing.
  void start();
  void stop();

 private:
  enum class Next { Again, Later, Never };

  void run(const std::stop_token& stop);
  Next open(HttpAnswer& answer, const std::stop_token& stop);
  Next judge(const HttpAnswer& answer);
  void note(LogLevel level, std::string_view text) const;

  Parts parts_;
  std::mutex mutex_;
  bool started_ = false;
  std::jthread thread_;
};

}  // namespace goondan::mcp
