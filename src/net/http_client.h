// The one HTTP client of the project: http-fetch, telegram, slack, models, OAuth and MCP use it.
//
// HTTP/1.1 over TCP or TLS, on the caller's thread; no thread of its own, also not for names. Every
// address is judged by `HostPolicy` before a byte goes there, pinned, and judged again when a kept
// connection is reused. Proxy variables and configuration files are not looked at.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "net/header.h"
#include "net/host_policy.h"
#include "net/resolver.h"
#include "net/url.h"

namespace goondan::net {

inline constexpr std::size_t kDefaultMaxBody = std::size_t{1} << 20;
inline constexpr int kMaxRedirects = 5;
inline constexpr std::chrono::milliseconds kLingerTime{100};

// What to do with an answer larger than `max_body`.
enum class Overflow { Cut, Fail };

enum class Redirects { Follow, Report };  // report: the 3xx answer itself is the result

struct Request {
  std::string method = "GET";
  Url url;
  // Names and values are checked; hop-by-hop ones are refused, and an `Accept-Encoding` that names
  // what we cannot decode is replaced.
  std::vector<Header> headers = {};
  std::string body = {};
  std::size_t max_body = kDefaultMaxBody;  // decoded bytes
  Overflow overflow = Overflow::Cut;
  Redirects redirects = Redirects::Follow;
  Deadline deadline;  // for everything: name, connection, all redirects, the last byte
  // How long the server may be silent while its answer is awaited or comes; none: no limit of its
  // own. `E_NETWORK_TIMEOUT`, like the deadline.
  std::optional<std::chrono::milliseconds> idle_timeout = {};
  std::stop_token stop = {};
  // Becomes true before the first byte goes out. While it is false, the request has reached nobody
  // and can be sent again whatever it does.
  bool* sent = nullptr;
  // Becomes the status of the answer before its body reaches the sink.
  int* status = nullptr;
  // Given status and headers of the answer, then too. Must return promptly.
  std::function<void(int status, const std::vector<Header>& headers)> on_head = {};
  // Whoever sets it to true has what they want of the answer: its end, after which the connection
  // can be used again, is awaited for `kLingerTime` only, and no failure after that counts.
  const bool* satisfied = nullptr;
};

struct Response {
  int status = 0;
  std::string reason = {};
  std::vector<Header> headers = {};  // names in lower case, as they came, repeats kept
  std::string body = {};             // decoded
  bool truncated = false;            // `max_body` was reached (only with `Overflow::Cut`)
  std::string url = {};              // the one that answered, after redirects

  // All values of the header joined with ", "; empty if there is none. `name` in lower case.
  [[nodiscard]] std::string header(std::string_view name) const;
};

// Given the decoded body as it comes. Returning an error ends the request with it.
using BodySink = std::function<Result<void>(std::string_view bytes)>;

// Thread-safe; keeps idle connections and uses them again. Many requests at once are fine, each on
// its caller's thread.
//
// Fails with `E_URL_INVALID`, `E_HOST_NOT_ALLOWED`, `E_NETWORK`, `E_NETWORK_TIMEOUT`, `E_TLS`,
// `E_HTTP_RESPONSE`, `E_TOOL_INVALID_ARGS` (a header that may not be set), `E_TOOL_CANCELLED`.
// Messages never hold the query or credentials of a URL. 4xx and 5xx are responses, not errors.
class HttpClient {
 public:
  // `names`: whom to ask for addresses, if not the name servers of the machine.
  explicit HttpClient(ResolverOptions names = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  [[nodiscard]] Result<Response> send(const Request& request, const HostPolicy& policy);

  // The same with the body going to `sink` instead of `Response::body`; `max_body` still bounds it.
  // A redirect's body and that of a failed attempt do not reach the sink.
  [[nodiscard]] Result<Response> stream(const Request& request, const HostPolicy& policy,
                                        const BodySink& sink);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace goondan::net
