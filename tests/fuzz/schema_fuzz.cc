// Input: a schema, a NUL or a newline, and a value, both as JSON text. Whatever they are, compiling
// and checking end, and the two ways of checking agree.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "schema/schema.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

constexpr std::size_t kMaxText = 2000;  // of a message; enum lists are the longest

void check(const goondan::Schema& schema, const goondan::Json& value) {
  const auto issues = schema.check(value);
  require(schema.valid(value) == issues.empty());
  for (const goondan::SchemaIssue& issue : issues) {
    require(issue.path.starts_with("args") && !issue.message.empty());
    require(issue.message.size() <= kMaxText * 4);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find_first_of(std::string_view("\0\n", 2));
  if (end == std::string_view::npos) return 0;
  const auto schema_json = goondan::parse_json(input.substr(0, end));
  const auto value = goondan::parse_json(input.substr(end + 1));
  if (!schema_json.ok() || !value.ok()) return 0;
  const auto schema = goondan::Schema::compile(*schema_json);
  if (!schema.ok()) {
    require(schema.error().code == goondan::ErrorCode::Schema);
    return 0;
  }
  check(**schema, *value);
  check(**schema, *schema_json);
  return 0;
}
