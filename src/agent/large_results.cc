#include "agent/large_results.h"

#include "agent/bounded_text.h"
#include "agent/turn_runner.h"
#include "base/ids.h"
#include "base/json_fields.h"
#include "base/utf8.h"

namespace goondan::agent {
namespace {

// What an answer of `read_output` takes beside its text.
constexpr std::size_t kPageOverheadBytes = 400;
constexpr std::size_t kMinPageBytes = 256;

struct Cut {
  std::string handle;
  std::string text;  // what the model sees, note included
  std::size_t shown_bytes;
};

std::string note(const Cut& cut, std::size_t total_bytes, std::size_t next_offset) {
  return "\n\n[Cut: " + std::to_string(cut.shown_bytes) + " of " + std::to_string(total_bytes) +
         " bytes are shown. Read on with handles__read {\"handle\": \"" + cut.handle +
         "\", \"offset\": " + std::to_string(next_offset) + "}.]";
}

Cut cut(std::string_view whole, std::size_t max_bytes) {
  const std::string_view shown = byte_prefix(whole, max_bytes);
  Cut made{.handle = make_id("out_"), .text = std::string(shown), .shown_bytes = shown.size()};
  made.text += note(made, whole.size(), utf8::length(shown));
  return made;
}

void flatten(std::optional<Json>& output) {
  if (output && deeper_than(*output, kMaxKeptLevels)) output = JsonString(to_text(*output));
}

// The one part of a result that can be large.
std::string whole_text(const ToolCallResult& result) {
  if (result.error) return result.error->message;
  if (!result.output) return {};
  return result.output->is_string() ? std::string(result.output->get_string())
                                    : to_text(*result.output);
}

void show(ToolCallResult& result, const std::string& text) {
  if (result.error) {
    result.error->message = text;
  } else {
    result.output = JsonString(text);
  }
}

Error no_output(const std::string& handle) {
  return {.code = ErrorCode::HandleNotFound,
          .message = "no output is kept under the handle '" + utf8::repaired(handle) + "'",
          .suggestion =
              "Use the handle as it stands in the note at the end of a cut result. Only "
              "the newest results are kept: call the tool again if this one was old."};
}

// The byte at which the code point with this number begins.
std::size_t byte_offset(std::string_view text, std::int64_t code_points) {
  if (code_points <= 0) return 0;
  return utf8::prefix(text, static_cast<std::size_t>(code_points)).size();
}

std::size_t page_bytes(std::size_t max_bytes) {
  return std::max(max_bytes, kMinPageBytes + kPageOverheadBytes);
}

// A page is as large as it may be already; masking can make it a little larger.
std::size_t most_shown(const ToolCallResult& result, std::size_t max_bytes) {
  return result.tool_name == kReadTool ? 2 * page_bytes(max_bytes) : max_bytes;
}

std::string_view page(std::string_view rest, const JsonObject& params, std::size_t max_bytes) {
  const std::string_view fitting = json_prefix(rest, page_bytes(max_bytes) - kPageOverheadBytes);
  const std::int64_t length = integer_field(params, "length").value_or(0);
  return length <= 0 ? fitting : utf8::prefix(fitting, static_cast<std::size_t>(length));
}

}  // namespace

Result<Message> result_message(store::InstanceStore& store, ToolCallResult result,
                               std::size_t max_bytes) {
  flatten(result.output);
  const std::string whole = whole_text(result);
  if (whole.size() <= most_shown(result, max_bytes)) return Message::tool_result(result);
  const Cut made = cut(whole, max_bytes);
  GDN_TRY(store.keep_output(made.handle, whole));
  show(result, made.text);
  Message message = Message::tool_result(result);
  message.metadata[kCutKey] = {
      {"handle", made.handle}, {"bytes", whole.size()}, {"shownBytes", made.shown_bytes}};
  return message;
}

Result<Json> read_output(const store::InstanceStore& store, const Json& params,
                         std::size_t max_bytes) {
  const JsonObject& object = object_or_empty(params);
  const std::string handle = text_field(object, "handle");
  const std::optional<std::string> whole = GDN_TRY(store.output(handle));
  if (!whole) return no_output(handle);
  const std::int64_t wanted =
      std::max<std::int64_t>(integer_field(object, "offset").value_or(0), 0);
  const std::size_t begin = byte_offset(*whole, wanted);
  const std::string_view all = *whole;
  const std::size_t offset = utf8::length(all.substr(0, begin));
  const std::string_view text = page(all.substr(begin), object, max_bytes);
  const std::size_t length = utf8::length(text);
  const bool more = begin + text.size() < all.size();
  return JsonObject{{"handle", handle},
                    {"offset", offset},
                    {"length", length},
                    {"total", utf8::length(all)},
                    {"nextOffset", more ? Json(offset + length) : Json(nullptr)},
                    {"content", utf8::repaired(text)}};
}

}  // namespace goondan::agent
