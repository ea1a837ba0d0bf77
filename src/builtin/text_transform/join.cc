#include "base/number_text.h"
#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/text_transform/handlers.h"
#include "builtin/text_transform/text.h"

namespace goondan::builtin::text_transform {
namespace {

constexpr std::string_view kDefaultDelimiter = "\n";
constexpr std::size_t kLongestNumber = 32;

// At least as many bytes as the joined text has.
std::size_t joined_size(const JsonArray& parts, std::size_t delimiter) {
  std::size_t size = 0;
  for (const Json& part : parts) {
    size += part.is_string() ? part.get_string().size() : kLongestNumber;
    size += delimiter;
    if (size > kMaxResultBytes) break;
  }
  return size;
}

void append_part(std::string& out, const Json& part) {
  if (part.is_string()) {
    out += std::string_view(part.get_string());
  } else if (part.is_bool()) {
    out += part.get_bool() ? "true" : "false";
  } else {
    append_number_text(out, part);
  }
}

Error too_large() {
  return {.code = ErrorCode::Limit,
          .message =
              "the joined text would be larger than " + std::to_string(kMaxResultBytes) + " bytes",
          .suggestion = "Use a shorter 'delimiter' or fewer 'parts'."};
}

}  // namespace

Result<Json> join(const Services&, ToolContext&, const JsonObject& input) {
  const JsonArray* parts = array_argument(input, "parts");
  if (parts == nullptr) return invalid_argument("parts", "must be an array");
  const CleanText delimiter = optional_text(input, "delimiter", kDefaultDelimiter);
  const std::size_t size = joined_size(*parts, delimiter.view().size());
  if (size > kMaxResultBytes) return too_large();
  std::string joined;
  joined.reserve(size);
  for (std::size_t i = 0; i < parts->size(); ++i) {
    if (i > 0) joined += delimiter.view();
    append_part(joined, (*parts)[i]);
  }
  return JsonObject{{"delimiter", delimiter.view()},
                    {"count", number_json(parts->size())},
                    {"result", CleanText(joined).view()}};
}

}  // namespace goondan::builtin::text_transform
