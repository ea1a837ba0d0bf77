// The address of a server: sends HTTP requests there and nowhere else.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "base/redactor.h"
#include "mcp/client.h"
#include "mcp/http_answer.h"
#include "net/http_client.h"

namespace goondan::mcp {

// One stream may carry as much; its messages are bounded each by `kMaxMessageBytes`.
inline constexpr std::size_t kMaxStreamBytes = std::size_t{512} << 20;
inline constexpr int kMaxHttpRedirects = 3;
// What is read of a stream at most in one `kPaceWhile`.
inline constexpr std::size_t kMaxStreamEvents = 1'000;
inline constexpr std::size_t kBytesLikeAnEvent = 4'096;

struct HttpCall {
  std::string method = "GET";
  std::vector<net::Header> headers = {};
  std::string body = {};
  Deadline deadline = Deadline::max();
  std::stop_token stop = {};
};

// Thread-safe: each call on its caller's thread.
class HttpEndpoint {
 public:
  // `E_URL_INVALID`; `E_CONFIG` for headers that cannot be sent.
  static Result<std::unique_ptr<HttpEndpoint>> make(const Server& server,
                                                    const net::HostPolicy& hosts);

  // Sends and reads into `answer`, to its end or until it is satisfied; refusals are answers, too.
  // A redirect is followed on the same origin if it keeps the method. Fails with `E_MCP_SERVER`
  // (not to be reached, broken off), `E_HOST_NOT_ALLOWED`, `E_TOOL_TIMEOUT`, `E_TOOL_CANCELLED`,
  // and as `HttpAnswer` does.
  Result<void> exchange(const HttpCall& call, HttpAnswer& answer);

  // Why the server did not do what it was asked to, by the status of its answer.
  [[nodiscard]] Error refusal(const HttpAnswer& answer) const;

  // `error` with the name of the server and without secrets of ours that the server repeats.
  [[nodiscard]] Error named(Error error) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<net::Header>& own_headers() const { return own_headers_; }

 private:
  HttpEndpoint(std::string name, net::Url url, net::HostPolicy hosts);

  Result<void> send(const HttpCall& call, const net::Url& url, HttpAnswer& answer);
  [[nodiscard]] Result<net::Url> redirected(const net::Url& from, const HttpAnswer& answer) const;
  [[nodiscard]] Error explained(Error error, const HttpCall& call) const;

  const std::string name_;
  const net::Url url_;
  const net::HostPolicy hosts_;
  std::vector<net::Header> own_headers_;
  Redactor secrets_;  // the values of those headers
  net::HttpClient client_;
};

}  // namespace goondan::mcp
