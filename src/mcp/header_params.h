// Arguments of a tool that are repeated in HTTP headers, so that proxies can route by them: the
// properties that the tool's schema marks with `x-mcp-header`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::mcp {

struct HeaderParam {
  std::string name;               // what follows `Mcp-Param-`
  std::vector<std::string> path;  // the properties that lead to the argument
};

// The marks in `schema`. Fails if one of them is not allowed: an empty name or one that is no HTTP
// token, one that comes twice (case does not count), on something else than a string, an integer or
// a boolean, or in a place that `properties` alone do not lead to.
Result<std::vector<HeaderParam>> header_params(const JsonObject& schema);

// The headers of a call. Arguments that are absent or null have none.
std::vector<std::pair<std::string, std::string>> param_headers(
    const std::vector<HeaderParam>& params, const JsonObject& arguments);

}  // namespace goondan::mcp
