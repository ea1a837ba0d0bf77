#include "net/http_client.h"

#include "net/connection_pool.h"
#include "net/connector.h"
#include "net/journey.h"

namespace goondan::net {

struct HttpClient::State {
  explicit State(ResolverOptions names) : connector(std::move(names)) {}

  Result<Response> run(const Request& request, const HostPolicy& policy, const BodySink* sink) {
    return Journey({.connector = connector,
                    .pool = pool,
                    .request = request,
                    .policy = policy,
                    .sink = sink})
        .run();
  }

  Connector connector;
  ConnectionPool pool;
};

HttpClient::HttpClient(ResolverOptions names) : state_(std::make_unique<State>(std::move(names))) {}
HttpClient::~HttpClient() = default;

Result<Response> HttpClient::send(const Request& request, const HostPolicy& policy) {
  return state_->run(request, policy, nullptr);
}

Result<Response> HttpClient::stream(const Request& request, const HostPolicy& policy,
                                    const BodySink& sink) {
  return state_->run(request, policy, &sink);
}

std::string Response::header(std::string_view name) const {
  return joined_values(headers, name);
}

}  // namespace goondan::net
