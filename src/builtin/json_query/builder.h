// Builds the values that a result keeps.
#pragma once

#include <optional>
#include <string_view>

#include <boost/json/value_stack.hpp>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "builtin/json_query/scanner.h"

namespace goondan::builtin::json_query {

// What a result holds is at most as deep as what `parse_json` reads, so that it can be read again.
inline constexpr std::size_t kMaxResultDepth = JsonLimits{}.max_depth;

// Of a key that an object has twice, the last value counts. Borrows both; confined to one call.
class Builder {
 public:
  // The values will stand `depth` levels deep in what the result keeps.
  Builder(Scanner& scanner, const ToolContext& context, std::size_t depth);

  // Reads the scanner's next value onto a stack. Fails if the value is too deep, the call has been
  // stopped or the scanner fails; then only `error()` may be called.
  bool add_value();

  // Makes the `count` values added last one array.
  void add_array(std::size_t count);

  // The value on the stack, which must be the only one.
  Json release();

  [[nodiscard]] Error error() const;

 private:
  bool add_container(Kind kind);
  bool add_scalar(Kind kind);
  void add_number(std::string_view text);
  bool may_go_on();

  Scanner& scanner_;
  const ToolContext& context_;
  boost::json::value_stack stack_;
  std::size_t depth_;
  std::size_t values_ = 0;
  std::optional<Error> error_;
};

// The next value.
Result<Json> build_value(Scanner& scanner, const ToolContext& context, std::size_t depth);

}  // namespace goondan::builtin::json_query
