#include <string>
#include <utility>

#include "builtin/json_query/builder.h"
#include "builtin/json_query/document.h"
#include "builtin/json_query/follow.h"
#include "builtin/json_query/handlers.h"
#include "builtin/json_query/path.h"

namespace goondan::builtin::json_query {

Result<Json> query(const Services&, ToolContext& context, const JsonObject& input) {
  Scanner scanner = GDN_TRY(open_document(input));
  const std::string path = path_argument(input);
  std::size_t target = 0;
  const bool found = GDN_TRY(follow(scanner, parse_path(path), [&scanner, &target] {
    target = scanner.position();
    return scanner.skip_value();
  }));
  Json value;
  if (found) {
    scanner.seek(target);
    value = GDN_TRY(build_value(scanner, context, 0));
  }
  return JsonObject{{"path", path}, {"found", found}, {"value", std::move(value)}};
}

}  // namespace goondan::builtin::json_query
