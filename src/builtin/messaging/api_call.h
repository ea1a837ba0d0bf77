// One request to a messaging service's API and its answer, with the patience that rate limits need.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "builtin/messaging/service.h"
#include "net/http_client.h"

namespace goondan::builtin::messaging {

inline constexpr std::size_t kMaxAnswerBytes = std::size_t{8} << 20;

// How often a request is sent again after the service asked to wait.
inline constexpr int kMaxWaits = 10;

// A request, and how its URL may be shown: paths may hold a token.
struct ApiRequest {
  std::string_view action;  // the method's name, or `file download`
  net::Request http;        // without deadline and stop
  std::string shown_url;
};

// What an answer means: a value, an error, or "not now".
struct Verdict {
  Result<Json> outcome;
  std::optional<std::chrono::seconds> wait = {};  // the service says when to come again
};

// `answer`: the response's body, an object; null if it is none.
using ReadAnswer = Verdict (*)(std::string_view action, const net::Response& response,
                               const Json* answer);

// The parts of a call that all its requests share. Borrows everything for the call.
struct Caller {
  const Service& service;
  const Services& services;
  ToolContext& context;
  const Access& access;
};

// Sends the request within the call's `timeoutMs`. Waits and sends it again if the service asks to
// and the time allows; sends it again once if no connection could be made. Never otherwise: a
// message must not be sent twice. For the same reason answers are read leniently, and errors say
// if the request may have been carried out.
Result<Json> call_api(const Caller& caller, ApiRequest request, ReadAnswer read);

// The same for an answer that is wanted as it is.
Result<net::Response> fetch(const Caller& caller, ApiRequest request);

bool is_success(const net::Response& response);

// A response that is no answer of the service's API, but perhaps that of a proxy. `api`: its name.
Verdict not_an_answer(const Service& service, std::string_view action, std::string_view api,
                      const net::Response& response);

// `HTTP 502 Bad Gateway`.
std::string status_line(const net::Response& response);

// `[telegram] sendMessage failed: problem`, with the code `E_SERVICE`.
Error service_error(const Service& service, std::string_view action, std::string_view problem,
                    std::string suggestion = {});

// `Retry-After` in seconds, at least 1; nothing if it is missing or unclear.
std::optional<std::chrono::seconds> retry_after(const net::Response& response);

}  // namespace goondan::builtin::messaging
