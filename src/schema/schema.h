// JSON Schema draft 2020-12: compiled once for each tool, then checked on every call.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan {

// One thing that is wrong with a value, in words a model can act on.
struct SchemaIssue {
  std::string path;           // `args.list[2].key`
  std::string message;        // `expected string but got integer`
  std::string expected = {};  // `string`, `one of ["x", "y"]`
  std::string got = {};       // `integer`, `"z"`; long values are cut
  std::string nearest = {};   // the valid enum value or property most like what was given

  friend bool operator==(const SchemaIssue&, const SchemaIssue&) = default;
};

struct SchemaLimits {
  std::size_t max_nodes = 20'000;         // subschemas in one schema
  std::size_t max_depth = 64;             // nesting of the schema, and of references while checking
  std::size_t max_pattern_bytes = 1'000;  // source text of one `pattern`
};

struct SchemaOptions {
  SchemaLimits limits = {};
  // Finds the document behind an absolute URI. None by default: nothing is ever fetched, and a
  // reference that leaves the schema is an error when it is compiled.
  std::function<std::optional<Json>(std::string_view uri)> find_document = {};
};

// Immutable; thread-safe. Owns everything it needs.
class Schema {
 public:
  // Fails with `E_SCHEMA`; the message names the place in the schema (`/properties/a/type`).
  static Result<std::shared_ptr<const Schema>> compile(const Json& schema,
                                                       const SchemaOptions& options = {});

  virtual ~Schema() = default;

  // Whether `value` conforms. Allocates nothing when it does.
  [[nodiscard]] virtual bool valid(const Json& value) const = 0;

  // What is wrong with `value`, at most `max_issues` of it; empty if nothing. `root` is the name
  // that paths begin with. In one object: missing properties first, then unexpected ones, then
  // the declared ones in the order of the schema.
  [[nodiscard]] virtual std::vector<SchemaIssue> check(const Json& value,
                                                       std::string_view root = "args",
                                                       std::size_t max_issues = 100) const = 0;

  // The names in the top level's `required` and `properties`, for suggestions.
  [[nodiscard]] virtual const std::vector<std::string>& required() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& properties() const = 0;
};

}  // namespace goondan
