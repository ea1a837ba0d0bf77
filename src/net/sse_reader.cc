#include "net/sse_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8.h"

namespace goondan::net {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kMaxRetryDigits = 9;

std::string as_utf8(std::string_view text) {
  return utf8::valid(text) ? std::string(text) : utf8::repaired(text);
}

// Only ASCII digits count; anything else leaves the time as it was.
std::optional<std::chrono::milliseconds> parse_retry(std::string_view text) {
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > kMaxRetryDigits || !digits) return std::nullopt;
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::chrono::milliseconds(number);
}

}  // namespace

Error SseReader::too_large() const {
  return {
      .code = ErrorCode::Limit,
      .message = "an event of the stream has more than " + std::to_string(max_bytes_) + " bytes"};
}

Result<std::optional<SseEvent>> SseReader::next(std::string_view& input) {
  while (true) {
    const auto line = GDN_TRY(take_line(input));
    if (!line) return std::optional<SseEvent>();
    std::optional<SseEvent> event = GDN_TRY(read_line(*line));
    carry_.clear();
    if (event) return event;
  }
}

// The next line, ended by CR, LF or both; it lives in the input or in `carry_`.
Result<std::optional<std::string_view>> SseReader::take_line(std::string_view& input) {
  if (after_cr_ && !input.empty()) {
    if (input.front() == '\n') input.remove_prefix(1);
    after_cr_ = false;
  }
  const std::size_t end = input.find_first_of("\r\n");
  std::string_view line = input.substr(0, end);
  if (carry_.size() + line.size() > max_bytes_) return too_large();
  if (end == std::string_view::npos) {
    carry_ += line;
    input = {};
    return std::optional<std::string_view>();
  }
  after_cr_ = input[end] == '\r';
  input.remove_prefix(end + 1);
  if (!carry_.empty()) {
    carry_ += line;
    line = carry_;
  }
  if (first_line_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  first_line_ = false;
  return std::optional<std::string_view>(line);
}

Result<std::optional<SseEvent>> SseReader::read_line(std::string_view line) {
  if (line.empty()) return dispatch();
  const std::size_t colon = line.find(':');
  std::string_view value;
  if (colon != std::string_view::npos) value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  GDN_TRY(read_field(line.substr(0, colon), value));
  return std::optional<SseEvent>();
}

// A comment is a field without a name, and like other unknown ones ignored.
Result<void> SseReader::read_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (data_.size() + value.size() >= max_bytes_) return too_large();
    data_ += value;
    data_ += '\n';
  } else if (name == "event") {
    type_ = value;
  } else if (name == "id") {
    if (!value.contains('\0')) next_id_ = value;
  } else if (name == "retry") {
    if (const auto time = parse_retry(value)) retry_ = time;
  }
  return {};
}

std::optional<SseEvent> SseReader::dispatch() {
  last_id_ = as_utf8(next_id_);
  const std::string type = std::exchange(type_, {});
  const std::string data = std::exchange(data_, {});
  if (data.empty()) return std::nullopt;
  return SseEvent{.type = type.empty() ? "message" : as_utf8(type),
                  .data = as_utf8(std::string_view(data).substr(0, data.size() - 1)),
                  .last_id = last_id_};
}

}  // namespace goondan::net
