#include <algorithm>
#include <cmath>
#include <optional>

#include "builtin/arguments.h"
#include "builtin/json_query/builder.h"
#include "builtin/json_query/document.h"
#include "builtin/json_query/handlers.h"

namespace goondan::builtin::json_query {
namespace {

// A part of a level is a whole one; no document has more than `kMaxDepth`.
std::size_t levels_of(double depth) {
  return static_cast<std::size_t>(std::clamp(std::ceil(depth), 0.0, double{kMaxDepth}));
}

// Puts the elements of an array in a row, those of the arrays in it included, `levels` deep.
class Flattener {
 public:
  Flattener(Scanner& scanner, const ToolContext& context)
      : scanner_(scanner), builder_(scanner, context, 1) {}

  bool add_elements(std::size_t levels) {
    return scanner_.read_array([this, levels] {
      const std::optional<Kind> kind = scanner_.next_kind();
      if (kind == Kind::Array && levels > 0) return add_elements(levels - 1);
      ++count_;
      return builder_.add_value();
    });
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] Error error() const { return builder_.error(); }

  Json release() {
    builder_.add_array(static_cast<std::size_t>(count_));
    return builder_.release();
  }

 private:
  Scanner& scanner_;
  Builder builder_;
  std::int64_t count_ = 0;
};

}  // namespace

Result<Json> flatten(const Services&, ToolContext& context, const JsonObject& input) {
  const Json* given = input.if_contains("depth");
  const Json depth = given == nullptr ? Json(1) : *given;
  Scanner scanner = GDN_TRY(open_document(input));
  GDN_TRY(expect_kind(scanner, Kind::Array, "flatten"));
  Flattener flattener(scanner, context);
  if (!flattener.add_elements(levels_of(number_argument(input, "depth").value_or(1)))) {
    return flattener.error();
  }
  if (!scanner.read_end()) return scanner.error();
  return JsonObject{
      {"depth", depth}, {"count", flattener.count()}, {"result", flattener.release()}};
}

}  // namespace goondan::builtin::json_query
