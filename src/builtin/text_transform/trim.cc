#include "base/white_space.h"
#include "builtin/arguments.h"
#include "builtin/text_transform/handlers.h"
#include "builtin/text_transform/text.h"

namespace goondan::builtin::text_transform {

Result<Json> trim(const Services&, ToolContext&, const JsonObject& input) {
  const CleanText text = GDN_TRY(required_text(input, "text"));
  const std::string_view mode = text_argument(input, "mode").value_or("both");
  std::string_view rest = text.view();
  if (mode != "end") rest = unicode::trim_start(rest);
  const std::size_t at_start =
      count_code_points(text.view().substr(0, text.view().size() - rest.size()));
  const std::string_view before_end = rest;
  if (mode != "start") rest = unicode::trim_end(rest);
  const std::size_t at_end = count_code_points(before_end.substr(rest.size()));
  return JsonObject{{"original", text.view()},
                    {"result", rest},
                    {"mode", mode},
                    {"trimmedLength", number_json(at_start + at_end)}};
}

}  // namespace goondan::builtin::text_transform
