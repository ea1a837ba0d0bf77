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

// Whether `secret` can be masked wherever it turns up without damage to ordinary text. Words
// (`postgres`, `changeme`), paths and placeholders (`YOUR_TOKEN`) turn up by chance: a secret has 8
// bytes of at least two kinds among lower case, upper case, digits and others, or 16 bytes.
bool worth_masking(std::string_view secret);

// What of a variable is to be masked in texts: all of a secret's value, and the password of a URL
// by itself, as it is and percent-decoded. Nothing of a variable that by its name says where
// something is (`TOKEN_FILE`, `SECRET_DIR`, `TOKEN_URL`); from a shell it is hidden all the same,
// for it leads to a secret.
std::vector<std::string> secrets_in(std::string_view name, std::string_view value);

// The `NAME=value` entries a shell command may see: all but the secrets, and of these the ones
// named in `pass`.
std::vector<std::string> without_secrets(std::span<const std::string> entries,
                                         std::span<const std::string> pass);

}  // namespace goondan
