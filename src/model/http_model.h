// A model behind an HTTP server: asks, reads the stream, and asks again where that helps.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/redactor.h"
#include "model/body_reader.h"
#include "model/endpoint.h"
#include "model/model_options.h"
#include "model/provider.h"
#include "model/retry.h"
#include "net/http_client.h"

namespace goondan {

// Of what a provider says about an error, in code points.
inline constexpr std::size_t kMaxProviderMessage = 500;

struct HttpModelParts {
  std::string resource;  // for messages: `Model/fast`
  std::string model;
  std::string key = {};  // empty: none
  Endpoint endpoint;
  ModelOptions options;
  std::unique_ptr<Provider> provider;
  std::shared_ptr<net::HttpClient> http;
  std::shared_ptr<Redactor> redactor;  // knows the key
};

// Thread-safe: has no state but its immutable parts and the client, which is.
class HttpModel : public Model {
 public:
  explicit HttpModel(HttpModelParts parts) : parts_(std::move(parts)) {}

  Result<ModelReply> reply(const ModelRequest& request, ModelObserver& observer) override;
  [[nodiscard]] std::string provider() const override { return parts_.provider->name(); }
  [[nodiscard]] std::string id() const override { return parts_.model; }

 private:
  // Why one try came to nothing.
  struct Failure {
    Error error;
    Retry retry = Retry::No;
    std::optional<std::chrono::milliseconds> asked_wait = {};
  };
  struct Try;

  [[nodiscard]] net::Request http_request(std::string body, const ModelRequest& request,
                                          Deadline deadline) const;
  // One try; leaves a reply or a failure in `one`.
  void run(Try& one, ModelObserver& observer) const;
  void take_response(Try& one, BodyReader& body, Result<net::Response> response) const;
  [[nodiscard]] Failure network_failure(Error error, Deadline deadline) const;
  [[nodiscard]] Error told(Error error) const;

  const HttpModelParts parts_;
};

}  // namespace goondan
