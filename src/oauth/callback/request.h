// The head of a request that a browser sends to the callback, and nothing more of HTTP than that.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace goondan::oauth {

inline constexpr std::size_t kMaxCallbackHead = std::size_t{16} << 10;
inline constexpr std::size_t kMaxCallbackParameters = 64;

struct CallbackRequest {
  std::string method = {};
  std::string path = {};   // as it was sent
  std::string query = {};  // without its `?`
  std::string host = {};   // of the one Host header, in lower case
};

// What a browser is told instead, e.g. 400.
struct BadRequest {
  int status = 400;
};

// `head` up to and without its blank line. Bare line feeds, folded lines, a target that is no path,
// and any number of Host headers but one are refused.
std::variant<CallbackRequest, BadRequest> parse_callback_request(std::string_view head);

// The parameters of a query, decoded, repeats kept; fails if they are too many.
using CallbackParameters = std::vector<std::pair<std::string, std::string>>;
std::variant<CallbackParameters, BadRequest> parse_callback_query(std::string_view query);

}  // namespace goondan::oauth
