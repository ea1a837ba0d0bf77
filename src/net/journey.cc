#include "net/journey.h"

#include <algorithm>
#include <chrono>

#include "net/exchange.h"
#include "net/redirect.h"
#include "net/request_writer.h"

namespace goondan::net {
namespace {

using std::chrono::milliseconds;

// A failure below, in words that say what was asked for. What the policy and the URL parser say
// stands for itself.
Error explained(Error error, const std::string& words, const std::string& given) {
  switch (error.code) {
    case ErrorCode::NetworkTimeout:
      error.message = words + " " + given + " and was aborted";
      error.suggestion = "Give it more time, or check that the server answers.";
      break;
    case ErrorCode::ToolCancelled:
      error.message = words + " was stopped before it was answered";
      break;
    case ErrorCode::Network:
    case ErrorCode::Tls:
    case ErrorCode::HttpResponse:
      error.message = words + " failed: " + error.message;
      if (error.suggestion.empty()) error.suggestion = "Check the URL, or try again later.";
      break;
    default:
      break;
  }
  return error;
}

Response make_response(ResponseHead head, BodyReceiver& body, const Url& url) {
  return {.status = head.status,
          .reason = std::move(head.reason),
          .headers = std::move(head.headers),
          .body = body.take_body(),
          .truncated = body.truncated(),
          .url = url.text()};
}

}  // namespace

Journey::Journey(const Parts& parts)
    : parts_(parts),
      stop_(parts.request.stop),
      until_{.deadline = parts.request.deadline, .stop = stop_, .idle = parts.request.idle_timeout},
      body_(parts.request, parts.sink),
      outgoing_{.method = parts.request.method,
                .url = parts.request.url,
                .headers = parts.request.headers,
                .body = parts.request.body} {}

std::string Journey::words() const {
  std::string text = parts_.request.method + " " + parts_.request.url.safe_text();
  if (redirects_ > 0) text += " (redirected to " + outgoing_.url.safe_text() + ")";
  return text;
}

Result<Response> Journey::run() {
  Result<Response> response = run_all();
  if (response.ok()) return response;
  return explained(std::move(response).error(), words(), time_given());
}

// What a request that has timed out was given. Before the deadline only silence ends one.
std::string Journey::time_given() const {
  const Request& request = parts_.request;
  if (request.idle_timeout && Clock::now() < request.deadline) {
    return "got nothing from the server for " + std::to_string(request.idle_timeout->count()) +
           " ms";
  }
  const auto given = std::chrono::round<milliseconds>(request.deadline - start_);
  return "timed out after " + std::to_string(std::max(given, milliseconds(0)).count()) + " ms";
}

Result<Response> Journey::run_all() {
  GDN_TRY(check_request(outgoing_));
  while (true) {
    ResponseHead head = GDN_TRY(send());
    if (parts_.request.redirects == Redirects::Report || !is_redirect(head)) {
      return make_response(std::move(head), body_, outgoing_.url);
    }
    if (redirects_ == kMaxRedirects) {
      return Error{
          .code = ErrorCode::HttpResponse,
          .message = "it was redirected more than " + std::to_string(kMaxRedirects) + " times"};
    }
    std::string redirected_by = outgoing_.words();
    outgoing_ = GDN_TRY(follow_redirect(outgoing_, head));
    redirected_by_ = std::move(redirected_by);
    ++redirects_;
  }
}

// Nobody who reads of a refusal asked for that host, if a redirect led there.
Result<ResponseHead> Journey::send() {
  Result<ResponseHead> head = send_hop();
  if (head.ok() || redirects_ == 0 || head.error().code != ErrorCode::HostNotAllowed) return head;
  Error error = std::move(head).error();
  error.message = redirected_by_ + " was redirected to " + outgoing_.url.safe_text() +
                  ", which is not followed: " + error.message;
  return error;
}

// One hop. A kept connection may have been closed by the server in the moment it is used; then the
// request goes out again over a new one, if that does no harm.
Result<ResponseHead> Journey::send_hop() {
  GDN_TRY(check(until_));
  GDN_TRY(parts_.policy.judge_name(outgoing_.url));
  if (ConnectionPool::ConnectionPtr kept = kept_connection()) {
    Result<ResponseHead> head = send_over(std::move(kept));
    const bool stale = !head.ok() && head.error().code == ErrorCode::Network && !answered_;
    if (!stale || !outgoing_.idempotent()) return head;
  }
  ConnectionPool::ConnectionPtr connection =
      GDN_TRY(parts_.connector.open(outgoing_.url, parts_.policy, until_));
  return send_over(std::move(connection));
}

// It was judged by the policy of the request it was made for, which may have been another.
ConnectionPool::ConnectionPtr Journey::kept_connection() {
  ConnectionPool::ConnectionPtr kept = parts_.pool.take(
      outgoing_.url, outgoing_.idempotent() ? kMaxIdleTime : kMaxIdleTimeUnrepeatable);
  const bool fine = kept && parts_.policy.judge_address(outgoing_.url, kept->address).ok();
  return fine ? std::move(kept) : nullptr;
}

Result<ResponseHead> Journey::send_over(ConnectionPool::ConnectionPtr connection) {
  if (parts_.request.sent != nullptr) *parts_.request.sent = true;
  Exchange exchange(connection->transport, outgoing_, body_, until_);
  Result<ResponseHead> head = exchange.run();
  answered_ = exchange.answered();
  if (head.ok() && exchange.reusable()) parts_.pool.put(std::move(connection));
  return head;
}

}  // namespace goondan::net
