#include "model/reply_reader.h"

#include <charconv>

#include "base/json_fields.h"
#include "base/utf8.h"

namespace goondan {
namespace {

// More than is told in the end, so that no cut goes through a secret before it is masked.
constexpr std::size_t kShownCodePoints = 4000;
constexpr std::size_t kEscape = 6;  // \uXXXX

// The code unit of an escape `\uXXXX` at `at`; 0 if there is none.
unsigned escape_at(std::string_view text, std::size_t at) {
  if (text.size() < at + kEscape || text[at] != '\\' || text[at + 1] != 'u') return 0;
  unsigned unit = 0;
  const char* end = text.data() + at + kEscape;
  const auto read = std::from_chars(text.data() + at + 2, end, unit, 16);
  return read.ec == std::errc{} && read.ptr == end ? unit : 0;
}

bool is_high(unsigned unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low(unsigned unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// Escapes of single surrogates become that of U+FFFD. JSON has backslashes in strings only.
std::string with_whole_pairs(std::string_view text) {
  std::string whole(text);
  std::size_t at = whole.find('\\');
  while (at != std::string::npos && at + 1 < whole.size()) {
    const unsigned unit = escape_at(whole, at);
    std::size_t length = unit == 0 ? 2 : kEscape;
    if (is_high(unit) && is_low(escape_at(whole, at + kEscape))) {
      length = 2 * kEscape;
    } else if (is_high(unit) || is_low(unit)) {
      whole.replace(at, kEscape, "\\ufffd");
    }
    at = whole.find('\\', at + length);
  }
  return whole;
}

}  // namespace

std::optional<std::int64_t> token_count(const JsonObject& object, std::string_view key) {
  const std::optional<std::int64_t> found = integer_field(object, key);
  if (!found || *found < 0) return {};
  return std::min(*found, kMaxTokens);
}

Result<JsonObject> parse_event(std::string_view text) {
  Result<Json> value = parse_json(text);
  if (!value.ok()) value = parse_json(with_whole_pairs(text));
  if (value.ok() && value->is_object()) return std::move(value->get_object());
  const std::string problem = value.ok() ? "no JSON object" : value.error().message;
  return Error{.code = ErrorCode::ModelReply,
               .message = "sent an answer that cannot be read: " + problem + " in '" +
                          std::string(utf8::prefix(text, kShownCodePoints)) + "'"};
}

Result<void> append_reply_text(std::string& text, std::string_view piece) {
  if (piece.size() > kMaxReplyText - text.size()) {
    return reply_too_large("text", kMaxReplyText);
  }
  text += piece;
  return {};
}

void refuse_cut_call(ModelReply& reply) {
  if (reply.calls.empty()) return;
  ToolCall& last = reply.calls.back();
  const JsonObject* input = last.input.if_object();
  if (input == nullptr || !input->empty() || !last.input_problem.empty()) return;
  last.input = "{";  // reads as cut off from the history too
  last.input_problem = "cut off: the answer reached its greatest length";
}

Error reply_too_large(std::string_view what, std::size_t limit) {
  return {.code = ErrorCode::Limit,
          .message = "sent more than is allowed: at most " + std::to_string(limit) + " bytes of " +
                     std::string(what)};
}

}  // namespace goondan
