// The secrets among the headers that a caller gives. Part of the tool `http-fetch`.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "net/header.h"

namespace goondan::builtin::http_fetch {

// More of one call are not looked at: a caller must not fill the redactor.
inline constexpr std::size_t kMaxHeaderSecrets = 32;

// What is to be masked in all that leaves a call with these headers: the values of those that by
// their name hold a secret (`X-Api-Key`, `Private-Token`), of `Authorization` what follows the
// scheme, of `Cookie` each value. Only what can be masked without damage to ordinary text. Views
// into `headers`.
std::vector<std::string_view> header_secrets(const std::vector<net::Header>& headers);

}  // namespace goondan::builtin::http_fetch
