#include "builtin/http_fetch/http_fetch.h"

#include "builtin/arguments.h"
#include "builtin/http_fetch/answer.h"
#include "builtin/http_fetch/embedded.h"
#include "builtin/http_fetch/header_secrets.h"
#include "builtin/http_fetch/request.h"

namespace goondan::builtin::http_fetch {
namespace {

// The client does not know what the argument is called.
Error with_next_step(Error error, LimitedBy by) {
  if (error.code == ErrorCode::NetworkTimeout)
    error.suggestion = "Check that the server answers. " + more_time(by);
  return error;
}

Result<Json> fetch(const Services& services, ToolContext& context, Call call) {
  const Deadline start = Clock::now();
  const CallLimit limit = limit_within(context, call.timeout, Ending::Quick);
  call.request.deadline = limit.deadline;
  call.request.stop = context.stop();
  for (const std::string_view secret : header_secrets(call.request.headers))
    services.redactor->add_secret(secret);
  const Result<net::Response> sent = services.http->send(call.request, services.hosts);
  if (!sent.ok()) return with_next_step(sent.error(), limit.by);
  const net::Response& response = *sent;
  const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  return JsonObject{
      {"url", call.request.url.text()},     {"method", call.request.method},
      {"status", response.status},          {"statusText", status_text(response)},
      {"headers", header_object(response)}, {"body", body_text(response, *services.redactor)},
      {"truncated", response.truncated},    {"durationMs", duration.count()}};
}

Result<Json> get(const Services& services, ToolContext& context, const JsonObject& input) {
  Call call = GDN_TRY(read_call("GET", input));
  return fetch(services, context, std::move(call));
}

Result<Json> post(const Services& services, ToolContext& context, const JsonObject& input) {
  Call call = GDN_TRY(read_call("POST", input));
  return fetch(services, context, std::move(call));
}

}  // namespace

Definition definition() {
  return {.name = "http-fetch",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "get", .handle = get}, {.name = "post", .handle = post}}};
}

}  // namespace goondan::builtin::http_fetch
