#include "base/ids.h"
#include "base/json_fields.h"
#include "model/model.h"

namespace goondan {
namespace {

// Puts text, calls and opaque blocks back into the order they came in.
class PartList {
 public:
  explicit PartList(const ModelReply& reply) : reply_(reply) {}

  void add_up_to(std::size_t text, std::size_t calls) {
    text = std::min(text, reply_.text.size());
    if (text > text_) {
      parts_.push_back(text_part(std::string_view(reply_.text).substr(text_, text - text_)));
      text_ = text;
    }
    for (; call_ < std::min(calls, reply_.calls.size()); ++call_) {
      parts_.push_back(tool_call_part(reply_.calls[call_]));
    }
  }

  void add_opaque(std::string_view provider, const JsonObject& entry) {
    add_up_to(count(entry, "textBefore"), count(entry, "callsBefore"));
    parts_.push_back(opaque_part(provider, any_field(entry, "block")));
  }

  JsonArray take() {
    add_up_to(reply_.text.size(), reply_.calls.size());
    return std::move(parts_);
  }

 private:
  static std::size_t count(const JsonObject& entry, std::string_view key) {
    const std::int64_t number = integer_field(entry, key).value_or(0);
    return number < 0 ? 0 : static_cast<std::size_t>(number);
  }

  const ModelReply& reply_;
  JsonArray parts_;
  std::size_t text_ = 0;
  std::size_t call_ = 0;
};

}  // namespace

Message ModelReply::to_message(std::string_view provider, std::string_view step_id) const {
  PartList parts(*this);
  for (const Json& entry : opaque) {
    parts.add_opaque(provider, object_or_empty(entry));
  }
  return {.id = make_id("msg_"),
          .data = {{"role", "assistant"}, {"content", parts.take()}},
          .created_at = iso_now(),
          .source = {{"type", "assistant"}, {"stepId", step_id}}};
}

}  // namespace goondan
