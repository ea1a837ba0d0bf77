#include "net/http_client.h"

namespace goondan::net {

struct HttpClient::State {};
HttpClient::HttpClient() = default;
HttpClient::~HttpClient() = default;

Result<Response> HttpClient::send(const Request&, const HostPolicy&) {
  return tool_error("stub");
}
Result<Response> HttpClient::stream(const Request&, const HostPolicy&, const BodySink&) {
  return tool_error("stub");
}
std::string Response::header(std::string_view) const {
  return {};
}

}  // namespace goondan::net
