// The stream on which a legacy server speaks without having been asked: a GET that stays open, on
// a thread of its own, opened again whenever it ends.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

#include "mcp/http_endpoint.h"
#include "mcp/http_session.h"

namespace goondan::mcp {

// Streams that bring nothing are tried less and less often, up to this.
inline constexpr std::chrono::milliseconds kMaxBackoff{30'000};
// Servers lose what they say on a stream that is not open yet, so it is awaited for this long; some
// say nothing at all before their first event.
inline constexpr std::chrono::milliseconds kOpenTime{1000};

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

  // Returns when the server has opened the stream or will not. Once; again it does nothing.
  void start();
  void stop();

 private:
  enum class Next { Again, Later, Never };

  void run(const std::stop_token& stop);
  Next open(HttpAnswer& answer, const std::stop_token& stop);
  Next judge(const HttpAnswer& answer);
  void note(LogLevel level, std::string_view text) const;
  void be_answered();

  Parts parts_;
  std::mutex mutex_;
  bool started_ = false;
  std::mutex answer_mutex_;
  std::condition_variable answer_;
  bool answered_ = false;  // the first stream; by `answer_mutex_`
  std::jthread thread_;
};

}  // namespace goondan::mcp
