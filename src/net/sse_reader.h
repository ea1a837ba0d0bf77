// Reads Server-Sent Events (text/event-stream) from bytes as they come, as the WHATWG's algorithm
// says. Does no I/O; what comes out does not depend on how the bytes were cut.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan::net {

inline constexpr std::size_t kDefaultMaxSseBytes = std::size_t{4} << 20;

// A value. Its texts are valid UTF-8: ill-formed bytes have become U+FFFD.
struct SseEvent {
  std::string type = "message";
  std::string data = {};
  std::string last_id = {};  // the last `id` so far, of this event or an earlier one

  friend bool operator==(const SseEvent&, const SseEvent&) = default;
};

// Thread-compatible. Fails with `E_LIMIT` if a line or the data of an event has more than the
// allowed bytes; after that it is of no further use. An event that the end of the stream cuts off
// is never seen, as the algorithm wants it.
class SseReader {
 public:
  explicit SseReader(std::size_t max_bytes = kDefaultMaxSseBytes) : max_bytes_(max_bytes) {}

  // Takes bytes from the front of `input` until an event is complete. None: all are used up.
  [[nodiscard]] Result<std::optional<SseEvent>> next(std::string_view& input);

  // For reconnecting: what to send as `Last-Event-ID`, and how long the server wants one to wait.
  [[nodiscard]] const std::string& last_id() const { return last_id_; }
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  Result<std::optional<std::string_view>> take_line(std::string_view& input);
  Result<std::optional<SseEvent>> read_line(std::string_view line);
  Result<void> read_field(std::string_view name, std::string_view value);
  std::optional<SseEvent> dispatch();
  [[nodiscard]] Error too_large() const;

  std::size_t max_bytes_;
  std::string carry_;  // the beginning of a line whose end has not come
  std::string type_;
  std::string data_;
  std::string last_id_;
  std::string next_id_;  // becomes `last_id_` with the next blank line
  std::optional<std::chrono::milliseconds> retry_;
  bool first_line_ = true;
  bool after_cr_ = false;  // a following LF belongs to the line that has ended
};

}  // namespace goondan::net
