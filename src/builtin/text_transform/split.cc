#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/text_transform/finder.h"
#include "builtin/text_transform/handlers.h"
#include "builtin/text_transform/text.h"

namespace goondan::builtin::text_transform {
namespace {

constexpr std::string_view kDefaultDelimiter = "\n";

// The parts of a text, one after another.
class Parts {
 public:
  Parts(std::string_view text, std::string_view delimiter)
      : text_(text), delimiter_(delimiter), finder_(text, delimiter) {}

  // The next part; nothing after the last.
  std::optional<std::string_view> next() {
    if (at_end_) return std::nullopt;
    const std::size_t end = finder_.next();
    at_end_ = end == Finder::kNone;
    const std::string_view part = text_.substr(at_, at_end_ ? end : end - at_);
    at_ = end + delimiter_.size();
    return part;
  }

 private:
  std::string_view text_;
  std::string_view delimiter_;
  Finder finder_;
  std::size_t at_ = 0;
  bool at_end_ = false;
};

std::size_t count_parts(Parts parts, std::size_t max_count) {
  std::size_t count = 0;
  while (count < max_count && parts.next())
    ++count;
  return count;
}

// The parts are counted first, so that the array has its size from the beginning.
std::optional<JsonArray> split_at(std::string_view text, std::string_view delimiter,
                                  std::size_t max_count) {
  Parts parts(text, delimiter);
  const std::size_t count = count_parts(parts, max_count);
  if (count > kMaxParts) return std::nullopt;
  JsonArray array(count, nullptr);
  for (Json& part : array)
    part.emplace_string().assign(*parts.next());
  return array;
}

std::optional<JsonArray> split_characters(std::string_view text, std::size_t max_count) {
  const std::size_t count = std::min(count_code_points(text), max_count);
  if (count > kMaxParts) return std::nullopt;
  JsonArray array(count, nullptr);
  for (Json& part : array) {
    const std::size_t length = utf8::sequence_length(text);
    part.emplace_string().assign(text.substr(0, length));
    text.remove_prefix(length);
  }
  return array;
}

// Fractions do not count, and a negative number is no limit.
std::size_t max_parts(const JsonObject& input) {
  const std::optional<double> given = number_argument(input, "maxParts");
  if (!given || *given < 0 || *given > static_cast<double>(kMaxParts)) return kMaxParts + 1;
  return static_cast<std::size_t>(*given);
}

Error too_many() {
  return {.code = ErrorCode::Limit,
          .message = "'text' has more than " + std::to_string(kMaxParts) + " parts",
          .suggestion = "Set 'maxParts', or choose a longer 'delimiter'."};
}

}  // namespace

Result<Json> split(const Services&, ToolContext&, const JsonObject& input) {
  const CleanText text = GDN_TRY(required_text(input, "text"));
  const CleanText delimiter = optional_text(input, "delimiter", kDefaultDelimiter);
  const std::size_t max_count = max_parts(input);
  std::optional<JsonArray> parts = delimiter.view().empty()
                                       ? split_characters(text.view(), max_count)
                                       : split_at(text.view(), delimiter.view(), max_count);
  if (!parts) return too_many();
  Json count = number_json(parts->size());
  return JsonObject{
      {"delimiter", delimiter.view()}, {"count", std::move(count)}, {"parts", *std::move(parts)}};
}

}  // namespace goondan::builtin::text_transform
