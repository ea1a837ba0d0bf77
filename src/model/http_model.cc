#include "model/http_model.h"

#include <condition_variable>
#include <mutex>
#include <random>

#include "base/utf8.h"
#include "model/provider_error.h"

namespace goondan {
namespace {

using std::chrono::milliseconds;

// `BodyReader` has its own bound, which it explains better.
constexpr std::size_t kMaxBody = kMaxReplyBytes + 1;

double random_part() {
  std::random_device device;
  return std::uniform_real_distribution<double>(0, 1)(device);
}

// Whether the whole time passed; not if a stop was requested.
bool wait_for(milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

Error stopped() {
  return {.code = ErrorCode::ToolCancelled, .message = "the model was stopped while it answered"};
}

std::string suggestion_for(ErrorCode code, const std::string& resource) {
  switch (code) {
    case ErrorCode::ModelAuth:
      return "Check `apiKey` of " + resource + ": the key must be valid and allowed this model.";
    case ErrorCode::ModelRefused:
      return "Check `model`, `endpoint` and `options.request` of " + resource +
             ", and the agent's parameters.";
    case ErrorCode::ModelBusy:
      return "Try again later, or raise `options.maxRetries` of " + resource + ".";
    case ErrorCode::ModelTimeout:
      return "Raise `options.idleTimeoutMs` or `options.timeoutMs` of " + resource +
             ", or check that the server works.";
    case ErrorCode::ModelReply:
      return "Try again; if it stays so, check that `endpoint` of " + resource +
             " is of the kind that `provider` says.";
    default:
      return "Try again later, or check that the server of " + resource + " works.";
  }
}

}  // namespace

struct HttpModel::Try {
  const net::Request& request;
  const WireNames& names;
  int status = 0;  // 0: no answer yet
  std::optional<ModelReply> reply = {};
  Failure failure = {};
};

Result<ModelReply> HttpModel::reply(const ModelRequest& request, ModelObserver& observer) {
  const Deadline deadline = std::min(request.deadline, Clock::now() + parts_.options.timeout);
  const WireNames names(request.tools, request.messages);
  Result<std::string> body = parts_.provider->body(request, names);
  if (!body.ok()) return told(std::move(body).error());
  net::Request http = http_request(*std::move(body), request, deadline);
  for (int attempt = 1;; ++attempt) {
    Try one{.request = http, .names = names};
    http.status = &one.status;
    run(one, observer);
    if (one.reply) return *std::move(one.reply);
    if (one.failure.retry == Retry::No || attempt > parts_.options.max_retries) {
      return told(std::move(one.failure.error));
    }
    const milliseconds wait =
        retry_wait(attempt, parts_.options.retry_wait, one.failure.asked_wait, random_part());
    if (deadline - Clock::now() <= wait) return told(std::move(one.failure.error));
    observer.on_retry(attempt, wait, told(one.failure.error));
    if (!wait_for(wait, request.stop)) return stopped();
  }
}

net::Request HttpModel::http_request(std::string body, const ModelRequest& request,
                                     Deadline deadline) const {
  net::Request http{.method = "POST",
                    .url = parts_.endpoint.url,
                    .headers = parts_.options.headers,
                    .body = std::move(body),
                    .max_body = kMaxBody,
                    .overflow = net::Overflow::Fail,
                    .redirects = net::Redirects::Report,
                    .deadline = deadline,
                    .idle_timeout = parts_.options.idle_timeout,
                    .stop = request.stop};
  std::vector<net::Header> ours = parts_.provider->headers(parts_.key);
  ours.push_back({.name = "Content-Type", .value = "application/json"});
  ours.push_back({.name = "Accept", .value = "text/event-stream, application/json"});
  for (net::Header& header : ours) {
    if (net::find_header(http.headers, header.name) == nullptr) {
      http.headers.push_back(std::move(header));
    }
  }
  return http;
}

void HttpModel::run(Try& one, ModelObserver& observer) const {
  const std::unique_ptr<ReplyReader> reader = parts_.provider->reader(one.names);
  BodyReader body(*reader, observer);
  std::optional<Error> problem;
  const net::BodySink sink = [&](std::string_view bytes) -> Result<void> {
    if (one.status / 100 != 2) {
      body.add_error(bytes);
      return {};
    }
    // A server that goes on for ever after its end is not listened to.
    if (reader->ended()) return Error{.code = ErrorCode::ModelReply, .message = "went on"};
    Result<void> added = body.add(bytes);
    if (!added.ok()) problem = added.error();
    return added;
  };
  Result<net::Response> response = parts_.http->stream(one.request, parts_.endpoint.policy, sink);
  if (problem) {
    one.failure = {.error = *problem, .retry = retry_after_error(problem->code)};
  } else if (response.ok() || !reader->complete()) {
    take_response(one, body, std::move(response));
  } else {
    // The connection broke, but after the answer's end.
    one.reply = reader->take();
  }
  if (one.reply && one.reply->model.empty()) one.reply->model = parts_.model;
}

void HttpModel::take_response(Try& one, BodyReader& body, Result<net::Response> response) const {
  if (!response.ok()) {
    one.failure = network_failure(std::move(response).error(), one.request.deadline);
    return;
  }
  if (response->status / 100 != 2) {
    one.failure = {.error = status_error(response->status, body.beginning()),
                   .retry = retry_after_status(response->status, response->headers),
                   .asked_wait = server_wait(response->headers, std::chrono::system_clock::now())};
    const bool no_quota =
        response->status == 429 && one.failure.error.code == ErrorCode::ModelRefused;
    if (no_quota || response->status < 400) one.failure.retry = Retry::No;
    return;
  }
  Result<ModelReply> reply = body.finish();
  if (reply.ok()) {
    one.reply = *std::move(reply);
  } else {
    one.failure = {.error = reply.error(), .retry = retry_after_error(reply.error().code)};
  }
}

HttpModel::Failure HttpModel::network_failure(Error error, Deadline deadline) const {
  Failure failure{.error = std::move(error), .retry = Retry::No};
  failure.retry = retry_after_error(failure.error.code);
  switch (failure.error.code) {
    case ErrorCode::NetworkTimeout:
      failure.error.code = ErrorCode::ModelTimeout;
      failure.error.suggestion.clear();
      if (Clock::now() >= deadline) failure.retry = Retry::No;
      break;
    case ErrorCode::HttpResponse:
      failure.error.code = ErrorCode::ModelReply;
      failure.error.suggestion.clear();
      break;
    case ErrorCode::ToolInvalidArgs:
      failure.error.code = ErrorCode::ModelConfig;
      break;
    default:
      break;
  }
  return failure;
}

// An error as it leaves: with the model's name, without secrets, and short.
Error HttpModel::told(Error error) const {
  if (error.code == ErrorCode::ToolCancelled) return stopped();
  if (error.code == ErrorCode::Limit) error.code = ErrorCode::ModelReply;
  const std::string safe = parts_.redactor->redact(utf8::repaired(error.message));
  const std::string_view shown = utf8::prefix(safe, kMaxProviderMessage);
  // What is told of the server goes on in small letters; the rest are sentences of their own.
  const bool goes_on = !shown.empty() && shown.front() >= 'a' && shown.front() <= 'z';
  const std::string subject = goes_on ? " (" + parts_.endpoint.url.safe_text() + ") " : ": ";
  error.message =
      parts_.resource + subject + std::string(shown) + (shown.size() < safe.size() ? "..." : "");
  if (error.suggestion.empty()) error.suggestion = suggestion_for(error.code, parts_.resource);
  parts_.redactor->redact(error);
  return error;
}

}  // namespace goondan
