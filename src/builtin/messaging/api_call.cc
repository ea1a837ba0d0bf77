#include "builtin/messaging/api_call.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/lenient_json.h"

namespace goondan::builtin::messaging {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kTooManyRequests = 429;
constexpr std::string_view kMayBeDone = "the request may have been carried out";
constexpr milliseconds kReconnectPause{200};
constexpr std::size_t kMaxShownProblem = 500;  // code points of what a service says

// The end of one request with all its repetitions.
struct Limit {
  Deadline deadline;
  milliseconds given;  // from its beginning to the deadline
  LimitedBy by;
};

Limit limit_for(const Caller& caller) {
  const Deadline now = Clock::now();
  const auto [deadline, by] = limit_within(caller.context, caller.access.timeout, Ending::Quick);
  const auto given = std::chrono::ceil<milliseconds>(deadline - now);
  return {.deadline = deadline, .given = std::min(given, caller.access.timeout), .by = by};
}

std::string with_shown_url(std::string message, const ApiRequest& request) {
  const std::string secret = request.http.url.safe_text();
  for (std::size_t at = message.find(secret); at != message.npos;
       at = message.find(secret, at + request.shown_url.size()))
    message.replace(at, secret.size(), request.shown_url);
  return message;
}

// Whether the service may have done what cannot be done twice.
bool may_be_done(const ApiRequest& request) {
  return request.http.method == "POST" && request.http.sent != nullptr && *request.http.sent;
}

// A failure to get an answer at all, in the words of this call.
Error request_failed(const Caller& caller, const ApiRequest& request, Error error,
                     const Limit& limit) {
  const bool timed_out = error.code == ErrorCode::NetworkTimeout;
  if (timed_out) {
    error.message = std::string(caller.service.title) + " API request timed out after " +
                    std::to_string(limit.given.count()) + "ms";
    error.suggestion =
        "It may have been carried out; check before calling again. " + more_time(limit.by);
  } else if (may_be_done(request)) {
    error.message += "; " + std::string(kMayBeDone);
  }
  error.message = "[" + std::string(caller.service.name) + "] " + std::string(request.action) +
                  " request failed: " + with_shown_url(std::move(error.message), request);
  return error;
}

// If no connection could be made, the request has reached nobody, and is tried once more.
Result<net::Response> send(const Caller& caller, const ApiRequest& request) {
  net::HttpClient& http = *caller.services.http;
  *request.http.sent = false;
  Result<net::Response> response = http.send(request.http, caller.services.hosts);
  const bool again = !response.ok() && response.error().code == ErrorCode::Network &&
                     !*request.http.sent && Clock::now() + kReconnectPause < request.http.deadline;
  if (!again || !caller.context.sleep_for(kReconnectPause)) return response;
  return http.send(request.http, caller.services.hosts);
}

Error wait_too_long(const Caller& caller, Error error, seconds wait, LimitedBy by) {
  const std::string time = std::to_string(wait.count()) + " s";
  const std::string limit =
      by == LimitedBy::Argument
          ? "'timeoutMs' (" + std::to_string(caller.access.timeout.count()) + ")"
          : std::string("the operator's limit for calls");
  error.message += "; " + std::string(caller.service.title) + " asks to wait " + time +
                   ", which does not fit into " + limit;
  error.suggestion = "Call again after " + time + ". " + more_time(by);
  return error;
}

// Whether the time asked for has passed.
bool wait_for_service(const Caller& caller, std::string_view action, seconds wait) {
  const std::string text = std::string(caller.service.title) + " limits the rate of " +
                           std::string(action) + ": waiting " + std::to_string(wait.count()) + " s";
  caller.context.log(LogLevel::Info, text);
  caller.context.progress(0, 0, text);
  return caller.context.sleep_for(wait);
}

}  // namespace

Result<Json> call_api(const Caller& caller, ApiRequest request, ReadAnswer read) {
  const Limit limit = limit_for(caller);
  bool sent = false;
  request.http.deadline = limit.deadline;
  request.http.stop = caller.context.stop();
  request.http.sent = &sent;
  for (int waits = 0;; ++waits) {
    const Result<net::Response> response = send(caller, request);
    if (!response.ok()) return request_failed(caller, request, response.error(), limit);
    const Result<Json> answer = read_lenient_json(response->body, caller.context, kMaxAnswerBytes);
    const bool understood = answer.ok() && answer->is_object();
    Verdict verdict = read(request.action, *response, understood ? &*answer : nullptr);
    if (!verdict.wait) return std::move(verdict.outcome);
    if (waits == kMaxWaits || Clock::now() + *verdict.wait >= limit.deadline)
      return wait_too_long(caller, verdict.outcome.error(), *verdict.wait, limit.by);
    if (!wait_for_service(caller, request.action, *verdict.wait)) {
      return Error{.code = ErrorCode::ToolCancelled,
                   .message = "stopped while waiting for the rate limit of " +
                              std::string(caller.service.title)};
    }
  }
}

Result<net::Response> fetch(const Caller& caller, ApiRequest request) {
  const Limit limit = limit_for(caller);
  bool sent = false;
  request.http.deadline = limit.deadline;
  request.http.stop = caller.context.stop();
  request.http.sent = &sent;
  Result<net::Response> response = send(caller, request);
  if (!response.ok()) return request_failed(caller, request, response.error(), limit);
  return response;
}

bool is_success(const net::Response& response) {
  return response.status >= 200 && response.status <= 299;
}

Verdict not_an_answer(const Service& service, std::string_view action, std::string_view api,
                      const net::Response& response) {
  std::string problem = status_line(response);
  if (is_success(response)) {
    problem = "the answer is not the JSON of " + std::string(api) + " (" + problem + "); " +
              std::string(kMayBeDone);
  }
  Verdict verdict{.outcome = service_error(service, action, problem,
                                           "Check 'apiBaseUrl', or try again later if it is " +
                                               std::string(service.title) + "'s own.")};
  if (response.status == kTooManyRequests) verdict.wait = retry_after(response);
  return verdict;
}

std::string status_line(const net::Response& response) {
  std::string line = "HTTP " + std::to_string(response.status);
  if (!response.reason.empty()) line += " " + utf8::repaired(response.reason);
  return line;
}

Error service_error(const Service& service, std::string_view action, std::string_view problem,
                    std::string suggestion) {
  return {.code = ErrorCode::Service,
          .message = "[" + std::string(service.name) + "] " + std::string(action) +
                     " failed: " + std::string(utf8::prefix(problem, kMaxShownProblem)),
          .suggestion = std::move(suggestion)};
}

std::optional<seconds> retry_after(const net::Response& response) {
  constexpr seconds::rep kMost = 86'400;
  const std::string text = response.header("retry-after");
  seconds::rep count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool clear = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (!clear) return std::nullopt;
  return seconds(std::clamp<seconds::rep>(count, 1, kMost));
}

}  // namespace goondan::builtin::messaging
