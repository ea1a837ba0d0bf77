#include "mcp/http_endpoint.h"

#include "mcp/http_stream.h"
#include "mcp/pace.h"
#include "net/header.h"

namespace goondan::mcp {
namespace {

Result<void> check(const net::Header& header) {
  if (net::is_token(header.name) && net::is_field_value(header.value)) return {};
  return Error{.code = ErrorCode::Config,
               .message = "the header '" + header.name + "' cannot be sent",
               .suggestion = "Use letters, digits and '-' in its name, and one line as its value."};
}

// The value of a header, and what follows its scheme (`Bearer ...`), which servers repeat alone.
void add_secrets(Redactor& secrets, const std::string& value) {
  secrets.add_secret(value);
  const std::size_t space = value.find(' ');
  if (space != std::string::npos) secrets.add_secret(std::string_view(value).substr(space + 1));
}

// What a stream brings counts by its events and by its size, so that neither is without a limit.
std::size_t weight(std::size_t events, std::size_t bytes) {
  return events + bytes / kBytesLikeAnEvent;
}

// 307 and 308 send the same again; what others would send has nothing to do with the protocol.
bool keeps_method(int status) {
  return status == 307 || status == 308;
}

}  // namespace

HttpEndpoint::HttpEndpoint(std::string name, net::Url url, net::HostPolicy hosts)
    : name_(std::move(name)), url_(std::move(url)), hosts_(std::move(hosts)) {}

Result<std::unique_ptr<HttpEndpoint>> HttpEndpoint::make(const Server& server,
                                                         const net::HostPolicy& hosts) {
  net::Url url = GDN_TRY(net::Url::parse(server.url));
  std::unique_ptr<HttpEndpoint> endpoint(new HttpEndpoint(server.name, std::move(url), hosts));
  for (const auto& [name, value] : server.headers) {
    const net::Header header{.name = name, .value = value};
    if (const Result<void> fine = check(header); !fine.ok()) return endpoint->named(fine.error());
    endpoint->own_headers_.push_back(header);
    add_secrets(endpoint->secrets_, value);
  }
  return endpoint;
}

Result<void> HttpEndpoint::exchange(const HttpCall& call, HttpAnswer& answer) {
  net::Url url = url_;
  for (int redirects = 0;; ++redirects) {
    answer.start();
    const Result<void> sent = send(call, url, answer);
    if (!sent.ok()) return explained(sent.error(), call);
    if (!keeps_method(answer.status()) || redirects == kMaxHttpRedirects) break;
    url = GDN_TRY(redirected(url, answer));
  }
  const Result<void> finished = answer.finish();
  if (!finished.ok()) return named(finished.error());
  return {};
}

Result<void> HttpEndpoint::send(const HttpCall& call, const net::Url& url, HttpAnswer& answer) {
  const net::Request request{.method = call.method,
                             .url = url,
                             .headers = call.headers,
                             .body = call.body,
                             .max_body = kMaxStreamBytes,
                             .overflow = net::Overflow::Cut,
                             .redirects = net::Redirects::Report,
                             .deadline = call.deadline,
                             .stop = call.stop,
                             .on_head =
                                 [&answer](int status, const std::vector<net::Header>& headers) {
                                   answer.begin(status, headers);
                                 },
                             .satisfied = &answer.satisfied};
  Pace pace(kMaxStreamEvents);
  const auto take = [&](std::string_view bytes) -> Result<void> {
    const std::size_t before = answer.events();
    GDN_TRY(answer.add(bytes));
    if (!answer.is_stream() || answer.satisfied) return {};
    pace.add(weight(answer.events() - before, bytes.size()));
    if (pace.paused()) static_cast<void>(wait_for_retry(kPaceWhile, call.deadline, call.stop));
    return {};
  };
  const net::Response response = GDN_TRY(client_.stream(request, hosts_, take));
  if (!response.truncated || answer.satisfied) return {};
  return Error{.code = ErrorCode::Limit,
               .message = "its answer has more than " + std::to_string(kMaxStreamBytes) + " bytes"};
}

Result<net::Url> HttpEndpoint::redirected(const net::Url& from, const HttpAnswer& answer) const {
  const net::Header* location = net::find_header(answer.headers(), "location");
  if (location == nullptr) return refusal(answer);
  Result<net::Url> to = from.resolve(location->value);
  if (!to.ok()) return named(to.error());
  if (to->origin() == url_.origin()) return to;
  return named({.code = ErrorCode::McpServer,
                .message = "it redirects to " + to->safe_text() +
                           ", which is another origin and not followed",
                .suggestion = "Configure that URL if you trust it."});
}

Error HttpEndpoint::explained(Error error, const HttpCall& call) const {
  switch (error.code) {
    case ErrorCode::NetworkTimeout:
      error.code = ErrorCode::ToolTimeout;
      break;
    case ErrorCode::Network:
    case ErrorCode::Tls:
    case ErrorCode::HttpResponse:
      error.code = ErrorCode::McpServer;
      break;
    case ErrorCode::ToolInvalidArgs:
      error.code = ErrorCode::Config;
      break;
    case ErrorCode::ToolCancelled:
      error.message = call.method + " was stopped before it was answered";
      break;
    default:
      break;
  }
  return named(std::move(error));
}

Error HttpEndpoint::named(Error error) const {
  error.message = "MCP server '" + name_ + "': " + error.message;
  secrets_.redact(error);
  return error;
}

}  // namespace goondan::mcp
