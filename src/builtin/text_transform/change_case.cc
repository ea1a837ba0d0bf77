#include "base/unicode_case.h"
#include "builtin/arguments.h"
#include "builtin/text_transform/handlers.h"
#include "builtin/text_transform/text.h"

namespace goondan::builtin::text_transform {

Result<Json> change_case(const Services&, ToolContext&, const JsonObject& input) {
  const CleanText text = GDN_TRY(required_text(input, "text"));
  const std::string_view to = text_argument(input, "to").value_or("");
  if (to != "upper" && to != "lower") {
    return invalid_argument("to", "must be 'upper' or 'lower'");
  }
  JsonString result =
      to == "upper" ? unicode::upper_case(text.view()) : unicode::lower_case(text.view());
  return JsonObject{{"original", text.view()}, {"result", std::move(result)}, {"to", to}};
}

}  // namespace goondan::builtin::text_transform
