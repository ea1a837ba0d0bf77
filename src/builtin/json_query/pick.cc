#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/json_query/builder.h"
#include "builtin/json_query/document.h"
#include "builtin/json_query/handlers.h"
#include "builtin/json_query/string_text.h"

namespace goondan::builtin::json_query {
namespace {

// The wanted keys, and where the value of each begins.
using Places = std::map<std::string_view, std::optional<std::size_t>, std::less<>>;

// Of a key that occurs twice, the last counts.
bool find_places(Scanner& scanner, Places& places) {
  return scanner.read_object([&scanner, &places](std::string_view key) {
    const auto found = has_escapes(key) ? places.find(unescaped(key)) : places.find(key);
    if (found != places.end()) found->second = scanner.position();
    return scanner.skip_value();
  });
}

}  // namespace

Result<Json> pick(const Services&, ToolContext& context, const JsonObject& input) {
  const JsonArray* given = array_argument(input, "keys");
  if (given == nullptr) return invalid_argument("keys", "must be an array of strings");
  std::vector<std::string> keys;
  for (const Json& key : *given) {
    if (!key.is_string()) return invalid_argument("keys", "must contain only strings");
    keys.push_back(utf8::repaired(key.get_string()));
  }
  Scanner scanner = GDN_TRY(open_document(input));
  GDN_TRY(expect_kind(scanner, Kind::Object, "pick"));
  Places places;
  for (const std::string& key : keys)
    places.emplace(key, std::nullopt);
  if (!find_places(scanner, places) || !scanner.read_end()) return scanner.error();
  JsonObject result;
  for (const std::string& key : keys) {
    const std::optional<std::size_t> place = places.find(key)->second;
    if (!place) continue;
    scanner.seek(*place);
    Json value = GDN_TRY(build_value(scanner, context, 1));
    result[key] = std::move(value);
  }
  return JsonObject{{"keys", JsonArray(keys.begin(), keys.end())}, {"result", std::move(result)}};
}

}  // namespace goondan::builtin::json_query
