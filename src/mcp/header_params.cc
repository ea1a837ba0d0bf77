#include "mcp/header_params.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/json_fields.h"
#include "mcp/header_value.h"
#include "mcp/json_rpc.h"

namespace goondan::mcp {
namespace {

constexpr std::string_view kMark = "x-mcp-header";
constexpr std::size_t kMaxShownName = 100;
// Below this, whole numbers are the same for every reader of JSON.
constexpr double kLargestExact = 9007199254740991.0;

// Keywords with one schema, and those with several in an array or an object. What stands elsewhere
// (`default`, `enum`, `const`) is data and may hold anything.
constexpr std::array<std::string_view, 11> kSingle{
    "items", "contains", "additionalProperties",  "propertyNames",    "not",          "if",
    "then",  "else",     "unevaluatedProperties", "unevaluatedItems", "contentSchema"};
constexpr std::array<std::string_view, 8> kSeveral{
    "prefixItems",      "allOf", "anyOf",      "oneOf", "patternProperties",
    "dependentSchemas", "$defs", "definitions"};

Error bad_mark(std::string why) {
  return {.code = ErrorCode::McpTool, .message = "its `x-mcp-header` " + std::move(why)};
}

bool is_token(std::string_view text) {
  constexpr std::string_view kOther = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [kOther](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kOther.find(c) != std::string_view::npos;
  });
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

class Search {
 public:
  enum class Reach { ByProperties, Otherwise };

  Result<void> schema(const JsonObject& schema, Reach reach) {
    if (const Json* mark = schema.if_contains(kMark)) GDN_TRY(add(schema, *mark, reach));
    if (const JsonObject* properties = object_field(schema, "properties")) {
      for (const auto& [name, property] : *properties) {
        path_.emplace_back(name);
        GDN_TRY(value(property, reach));
        path_.pop_back();
      }
    }
    for (const std::string_view keyword : kSingle) {
      if (const Json* found = schema.if_contains(keyword)) GDN_TRY(value(*found, Reach::Otherwise));
    }
    for (const std::string_view keyword : kSeveral) {
      if (const Json* found = schema.if_contains(keyword)) GDN_TRY(values(*found));
    }
    return {};
  }

  std::vector<HeaderParam> take() { return std::move(found_); }

 private:
  Result<void> value(const Json& value, Reach reach) {
    const JsonObject* object = value.if_object();
    if (object != nullptr) return schema(*object, reach);
    if (value.is_array()) return values(value);  // `items` as drafts before 2020-12 had it
    return {};
  }

  Result<void> values(const Json& several) {
    if (const JsonObject* object = several.if_object()) {
      for (const auto& [name, one] : *object)
        GDN_TRY(value(one, Reach::Otherwise));
    } else if (const JsonArray* array = several.if_array()) {
      for (const Json& one : *array)
        if (one.is_object()) GDN_TRY(value(one, Reach::Otherwise));
    }
    return {};
  }

  Result<void> add(const JsonObject& schema, const Json& mark, Reach reach) {
    if (!mark.is_string()) return bad_mark("is no text");
    std::string name(mark.get_string());
    const std::string shown = "'" + clean_text(name, kMaxShownName) + "'";
    if (!is_token(name)) return bad_mark(shown + " is no name for a header");
    if (reach == Reach::Otherwise || path_.empty()) {
      return bad_mark(shown + " is in a place that `properties` alone do not lead to");
    }
    const std::string type = text_field(schema, "type");
    if (type != "string" && type != "integer" && type != "boolean") {
      return bad_mark(shown + " is on something else than a string, an integer or a boolean");
    }
    if (!names_.insert(lower(name)).second) return bad_mark(shown + " comes twice");
    found_.push_back({.name = std::move(name), .path = path_});
    return {};
  }

  std::vector<std::string> path_;
  std::vector<HeaderParam> found_;
  std::set<std::string> names_;
};

// The argument at `path`; null if there is none.
const Json* find_argument(const JsonObject& arguments, const std::vector<std::string>& path) {
  const JsonObject* object = &arguments;
  const Json* found = nullptr;
  for (const std::string& name : path) {
    if (object == nullptr) return nullptr;
    found = object->if_contains(name);
    if (found == nullptr) return nullptr;
    object = found->if_object();
  }
  return found;
}

std::optional<std::string> text_of(const Json& value) {
  if (value.is_string()) return header_value(value.get_string());
  if (value.is_bool()) return value.get_bool() ? "true" : "false";
  if (value.is_int64() || value.is_uint64()) return to_text(value);
  if (!value.is_double()) return {};
  const double number = value.get_double();
  if (std::trunc(number) != number || std::abs(number) > kLargestExact) return {};
  return std::to_string(static_cast<std::int64_t>(number));  // `42.0` is the integer 42
}

}  // namespace

Result<std::vector<HeaderParam>> header_params(const JsonObject& schema) {
  Search search;
  GDN_TRY(search.schema(schema, Search::Reach::ByProperties));
  return search.take();
}

std::vector<std::pair<std::string, std::string>> param_headers(
    const std::vector<HeaderParam>& params, const JsonObject& arguments) {
  std::vector<std::pair<std::string, std::string>> headers;
  for (const HeaderParam& param : params) {
    const Json* argument = find_argument(arguments, param.path);
    if (argument == nullptr) continue;
    if (std::optional<std::string> text = text_of(*argument)) {
      headers.emplace_back("Mcp-Param-" + param.name, *std::move(text));
    }
  }
  return headers;
}

}  // namespace goondan::mcp
