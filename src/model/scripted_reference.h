// The syntax of references in a script's texts: `{{input}}`, `{{output.items[0].name}}`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

namespace goondan::scripted {

// `E_SCRIPT`, without a place.
Error mistake(std::string message, std::string suggestion = {});

// Without the white space at both ends.
std::string_view trimmed(std::string_view text);

// `output.items[0].name` as `output`, `items`, `0`, `name`.
using Steps = std::vector<std::string>;

// What stands between the braces. Fails for what is no path, and for an unknown first name.
Result<Steps> parse_reference(std::string_view reference);

// The text before the next reference, escapes resolved, and what stands between its braces; the
// latter is nothing after the last.
struct Cut {
  std::string before = {};
  std::optional<std::string_view> reference = {};
};

// Takes both off `rest`. Fails for a reference that never ends.
Result<Cut> next_cut(std::string_view& rest);

// Whether every reference in `text` is well formed and begins with a known name.
Result<void> check_references(std::string_view text);

}  // namespace goondan::scripted
