// Parameters of forms and of the query of a URL.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace goondan::oauth {

using Parameters = std::vector<std::pair<std::string, std::string>>;

// Every byte but letters, digits and `-._~` as `%XX`.
std::string parameter_encoded(std::string_view text);

// `name=value&name=value`, as `application/x-www-form-urlencoded`.
std::string form_encoded(const Parameters& parameters);

// The name in front of the first `=` of an encoded parameter, decoded.
std::string parameter_name(std::string_view encoded);

}  // namespace goondan::oauth
