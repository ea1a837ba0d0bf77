// Input: a path, a NUL or a newline, and a document. Whatever they are, looking the path up ends;
// and where `parse_json` reads the document too, a slow walk over its tree finds the same.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "builtin/json_query/handlers.h"
#include "builtin/json_query/path.h"

namespace goondan::builtin::json_query {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

class SilentHost final : public ToolHost {
 public:
  void log(LogLevel, std::string_view) override {}
  void progress(const Progress&) override {}
  Result<Json> request(std::string_view, const Json&) override { return tool_error("none here"); }
};

Result<Json> call(Handler handler, const JsonObject& input) {
  const CallScope scope;
  SilentHost host;
  ToolContext context(
      {.scope = scope, .tool_call_id = "1", .deadline = Deadline::max(), .stop = {}, .host = host});
  return handler(Services{}, context, input);
}

const Json* look_up(const Json* value, const std::vector<std::string>& path) {
  for (const std::string& segment : path) {
    if (const JsonObject* object = value->if_object()) {
      value = object->if_contains(segment);
    } else if (const JsonArray* array = value->if_array()) {
      const std::optional<std::size_t> position = array_position(segment);
      value = position && *position < array->size() ? &(*array)[*position] : nullptr;
    } else {
      value = nullptr;
    }
    if (value == nullptr) return nullptr;
  }
  return value;
}

double as_double(const Json& number) {
  return number.is_number() ? number.to_number<double>()
                            : std::strtod(to_text(number).c_str(), nullptr);
}

// Numbers by their value as doubles: the tree has rounded what the query keeps as text, and what
// is beyond a double (`1e999`, also `0e999`) is infinite or no number there.
bool same_number(double ours, double tree) {
  if (!std::isfinite(tree) || std::abs(tree) < std::numeric_limits<double>::min()) return true;
  return std::abs(ours - tree) <= std::abs(tree) * 1e-14;
}

bool same(const Json& ours, const Json& tree) {
  if (tree.is_number()) return same_number(as_double(ours), tree.to_number<double>());
  if (const JsonArray* array = tree.if_array()) {
    return ours.is_array() && std::ranges::equal(ours.get_array(), *array, same);
  }
  if (const JsonObject* object = tree.if_object()) {
    return ours.is_object() && ours.get_object().size() == object->size() &&
           std::ranges::all_of(*object, [&ours](const auto& member) {
             const Json* own = ours.get_object().if_contains(member.key());
             return own != nullptr && same(*own, member.value());
           });
  }
  return ours == tree;
}

std::size_t size_of(const Json* value) {
  if (value == nullptr || value->is_null()) return 0;
  if (const JsonArray* array = value->if_array()) return array->size();
  if (const JsonObject* object = value->if_object()) return object->size();
  return value->is_string() ? utf8::length(value->get_string()) : 1;
}

void check_answer(const Result<Json>& answer) {
  if (answer.ok()) {
    require(!to_text(*answer).empty());
  } else {
    require(!answer.error().message.empty() && utf8::valid(answer.error().message));
  }
}

void check(std::string_view path, std::string_view document) {
  const JsonObject input{{"data", document}, {"path", path}};
  const Result<Json> found = call(query, input);
  const Result<Json> counted = call(count, input);
  const Result<Json> flat = call(flatten, {{"data", document}, {"depth", 2.5}});
  const Result<Json> picked = call(pick, {{"data", document}, {"keys", JsonArray{path, "a"}}});
  for (const Result<Json>* answer : {&found, &counted, &flat, &picked})
    check_answer(*answer);
  const Result<Json> tree = parse_json(document);
  if (!tree.ok()) return;
  // What the strict reader takes, the query takes; and both see the same.
  require(found.ok() && counted.ok());
  require(picked.ok() == tree->is_object() || picked.error().code == ErrorCode::Limit);
  require(flat.ok() == tree->is_array());
  const Json* expected = look_up(&*tree, parse_path(utf8::repaired(path)));
  require(found->at("found").as_bool() == (expected != nullptr));
  require(same(found->at("value"), expected == nullptr ? Json() : *expected));
  require(counted->at("count").to_number<std::size_t>() == size_of(expected));
}

}  // namespace
}  // namespace goondan::builtin::json_query

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t separator = input.find_first_of(std::string_view("\0\n", 2));
  if (separator == std::string_view::npos) return 0;
  goondan::builtin::json_query::check(input.substr(0, separator), input.substr(separator + 1));
  return 0;
}
