// Requests to a provider's endpoints, and their answers as they came.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/http_client.h"
#include "oauth/provider.h"
#include "oauth/provider/parameters.h"
#include "oauth/provider/refusal.h"

namespace goondan::oauth {

inline constexpr std::size_t kMaxAnswerBytes = std::size_t{256} << 10;
inline constexpr std::size_t kMaxAnswerDepth = 16;
inline constexpr std::chrono::seconds kMaxAnswerTime{60};

struct EndpointReply {
  std::string place = {};  // `the token endpoint https://a.example/token`, for messages
  int status = 0;
  std::string content_type = {};
  std::string body = {};  // may hold tokens
};

// Thread-safe; borrows the client.
class EndpointCaller {
 public:
  EndpointCaller(net::HttpClient& http, net::HostPolicy policy)
      : http_(http), policy_(std::move(policy)) {}

  struct Call {
    std::string_view name;  // `the token endpoint`
    std::string_view url;
    Parameters form = {};
    std::vector<net::Header> headers = {};
  };

  // Redirects are not followed, larger answers are errors.
  [[nodiscard]] Answer<EndpointReply> post(const Call& call, const Limit& limit) const;
  [[nodiscard]] Answer<EndpointReply> get(const Call& call, const Limit& limit) const;

 private:
  Answer<EndpointReply> send(net::Request request, const Call& call, const Limit& limit) const;

  net::HttpClient& http_;
  net::HostPolicy policy_;
};

// The JSON object of an answer with a status of 2xx. Otherwise, or with an `error` in it, what the
// answer means: 3xx and nonsense are `Broken`, 408, 429 and 5xx `Retry`, others what their code
// says.
Answer<JsonObject> read_reply(const EndpointReply& reply, const RequestSecrets& secrets);

}  // namespace goondan::oauth
