#include <algorithm>
#include <cmath>
#include <optional>

#include "builtin/arguments.h"
#include "builtin/text_transform/handlers.h"
#include "builtin/text_transform/text.h"

namespace goondan::builtin::text_transform {
namespace {

// The place in a text of `length` that `index` means: negative ones count from the end, fractions
// do not count, nothing lies outside.
std::size_t place(double index, std::size_t length) {
  const auto size = static_cast<double>(length);
  const double whole = std::trunc(index);
  return static_cast<std::size_t>(std::clamp(whole < 0 ? size + whole : whole, 0.0, size));
}

Json given_or(const JsonObject& input, std::string_view key, std::size_t fallback) {
  const Json* given = input.if_contains(key);
  return given == nullptr ? number_json(fallback) : *given;
}

}  // namespace

Result<Json> slice(const Services&, ToolContext&, const JsonObject& input) {
  const CleanText text = GDN_TRY(required_text(input, "text"));
  const std::size_t length = count_code_points(text.view());
  const std::size_t start = place(number_argument(input, "start").value_or(0), length);
  const std::optional<double> given_end = number_argument(input, "end");
  const std::size_t end = given_end ? place(*given_end, length) : length;
  const std::size_t count = end > start ? end - start : 0;
  const std::string_view from = text.view().substr(byte_offset(text.view(), start));
  return JsonObject{{"original", text.view()},
                    {"result", from.substr(0, byte_offset(from, count))},
                    {"start", given_or(input, "start", 0)},
                    {"end", given_or(input, "end", length)},
                    {"length", number_json(count)}};
}

}  // namespace goondan::builtin::text_transform
