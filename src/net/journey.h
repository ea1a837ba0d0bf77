// One request on its way, over all its hops: kept and new connections, redirects, and the words for
// what goes wrong.
#pragma once

#include <memory>
#include <string>

#include <goondan/result.h>

#include "net/body_receiver.h"
#include "net/connection_pool.h"
#include "net/connector.h"
#include "net/http_client.h"
#include "net/outgoing.h"
#include "net/until.h"

namespace goondan::net {

// Used once. Borrows all its parts for its life. Thread-compatible.
class Journey {
 public:
  struct Parts {
    Connector& connector;
    ConnectionPool& pool;
    const Request& request;
    const HostPolicy& policy;
    const BodySink* sink;
  };

  explicit Journey(const Parts& parts);

  // As `HttpClient::send` has it.
  [[nodiscard]] Result<Response> run();

 private:
  Result<Response> run_all();
  Result<ResponseHead> send();
  Result<ResponseHead> send_hop();
  Result<ResponseHead> send_over(ConnectionPool::ConnectionPtr connection);
  [[nodiscard]] ConnectionPool::ConnectionPtr kept_connection();
  [[nodiscard]] std::string words() const;
  [[nodiscard]] std::string time_given() const;

  const Parts parts_;
  Clock::time_point start_ = Clock::now();
  StopSignal stop_;
  Until until_;
  BodyReceiver body_;
  Outgoing outgoing_;
  int redirects_ = 0;
  std::string redirected_by_;  // the request before, in words
  bool answered_ = false;      // in the latest exchange
};

}  // namespace goondan::net
