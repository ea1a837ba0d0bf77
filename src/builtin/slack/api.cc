#include "builtin/slack/api.h"

#include <array>

#include "builtin/messaging/fields.h"
#include "builtin/slack/advice.h"

namespace goondan::builtin::slack {
namespace {

using messaging::ApiRequest;
using messaging::Verdict;

constexpr int kTooManyRequests = 429;

constexpr std::array<std::string_view, 3> kTokenVariables{"SLACK_BOT_TOKEN", "SLACK_TOKEN",
                                                          "BRAIN_SLACK_BOT_TOKEN"};

bool owns_host(std::string_view host) {
  return host == "slack.com" || host.ends_with(".slack.com");
}

bool is_rate_limit(std::string_view problem) {
  return problem == "ratelimited" || problem == "rate_limited";
}

Verdict refusal(std::string_view method, const Json& answer, const net::Response& response) {
  const std::string problem =
      messaging::string_or(answer, "error", messaging::status_line(response));
  Verdict verdict{.outcome =
                      messaging::service_error(kSlack, method, problem, advice(problem, answer))};
  if (is_rate_limit(problem) || response.status == kTooManyRequests)
    verdict.wait = messaging::retry_after(response);
  return verdict;
}

Verdict read_answer(std::string_view method, const net::Response& response, const Json* answer) {
  if (answer == nullptr) return messaging::not_an_answer(kSlack, method, "Slack's API", response);
  const Json* ok = answer->get_object().if_contains("ok");
  const bool accepted = ok != nullptr && ok->is_bool() && ok->get_bool();
  if (!accepted || !messaging::is_success(response)) return refusal(method, *answer, response);
  return {.outcome = *answer};
}

}  // namespace

const messaging::Service kSlack{.name = "slack",
                                .title = "Slack",
                                .base_url = "https://slack.com/api",
                                .token_variables = kTokenVariables,
                                .owns_host = owns_host};

net::Header authorization(const messaging::Token& token) {
  return {.name = "Authorization", .value = "Bearer " + token.text};
}

Result<Json> call(const messaging::Caller& caller, std::string_view method,
                  const JsonObject& body) {
  ApiRequest request{.action = method, .http = {}, .shown_url = {}};
  request.http.url = caller.access.base;
  request.http.url.path += "/" + std::string(method);
  request.shown_url = request.http.url.safe_text();
  request.http.method = "POST";
  request.http.headers = {authorization(caller.access.token),
                          {.name = "Content-Type", .value = "application/json; charset=utf-8"}};
  request.http.body = to_text(body);
  request.http.max_body = messaging::kMaxAnswerBytes;
  request.http.overflow = net::Overflow::Fail;
  request.http.redirects = net::Redirects::Report;
  return messaging::call_api(caller, std::move(request), read_answer);
}

}  // namespace goondan::builtin::slack
