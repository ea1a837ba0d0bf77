// Which environment variables are secrets, and what is left of an environment without them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace goondan {

// By its name (`*TOKEN*`, `*SECRET*`, `*PASSWORD*`, `*_KEY` ...) or because its value is a URL with
// a password in it.
bool looks_secret(std::string_view name, std::string_view value);

// The `NAME=value` entries a shell command may see: all but the secrets, and of these the ones
// named in `pass`.
std::vector<std::string> without_secrets(std::span<const std::string> entries,
                                         std::span<const std::string> pass);

}  // namespace goondan
