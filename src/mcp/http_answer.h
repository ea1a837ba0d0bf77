// The answer to one HTTP request, read as it comes: one JSON document, or a stream of events whose
// messages are passed on one by one. Does no I/O; what comes out does not depend on how the bytes
// were cut.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "mcp/transport.h"
#include "net/header.h"
#include "net/sse_reader.h"

namespace goondan::mcp {

// So much of an answer that is no success is kept.
inline constexpr std::size_t kMaxRefusalBytes = std::size_t{1} << 20;

// Thread-compatible. `E_MCP` for what is no JSON-RPC, `E_LIMIT` for a message that is too large;
// after that it is of no further use.
class HttpAnswer {
 public:
  // `id` of the request that is to be answered; null: there is none, every message is passed on.
  HttpAnswer(Json id, OnMessage on_message);

  // A request goes out for it: the first one, or one more for the rest of the stream. The last
  // event's id and the wait that the server wants are kept.
  void start();

  // Status and headers have come; then the bytes of the body.
  void begin(int status, const std::vector<net::Header>& headers);
  Result<void> add(std::string_view bytes);
  // The body has ended.
  Result<void> finish();

  // Of a success, what comes now is not needed.
  bool satisfied = false;
  // Called by `begin`.
  std::function<void()> on_begin = {};

  // 0: nothing has come.
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::vector<net::Header>& headers() const { return headers_; }
  [[nodiscard]] bool ok() const { return status_ >= 200 && status_ < 300; }
  [[nodiscard]] bool is_stream() const;
  // The answer to the request, once it has come; also the JSON-RPC error of a refusal.
  [[nodiscard]] std::optional<Json>& response() { return response_; }
  [[nodiscard]] bool answered() const { return response_.has_value(); }
  // Of a refusal: what it says.
  [[nodiscard]] const std::string& text() const { return text_; }
  // The last event's, of this stream or of the one before that it goes on with.
  [[nodiscard]] const std::string& last_id() const {
    return sse_.last_id().empty() ? id_before_ : sse_.last_id();
  }
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }
  [[nodiscard]] std::size_t events() const { return events_; }

 private:
  Result<void> add_events(std::string_view bytes);
  Result<void> take(Json message);
  Result<void> take_one(Json message);
  void take_refusal();
  [[nodiscard]] std::string content_type() const;

  Json id_;
  OnMessage on_message_;
  int status_ = 0;
  std::vector<net::Header> headers_;
  net::SseReader sse_;
  std::string text_;
  std::optional<Json> response_;
  std::string id_before_;
  std::optional<std::chrono::milliseconds> retry_;
  std::size_t events_ = 0;
};

}  // namespace goondan::mcp
