#include "oauth/provider/endpoint_call.h"

#include <algorithm>
#include <utility>

#include "base/json_fields.h"
#include "oauth/provider/endpoint_url.h"

namespace goondan::oauth {
namespace {

bool is_json_type(std::string_view content_type) {
  const std::string type =
      net::to_lower(net::trimmed(content_type.substr(0, content_type.find(';'))));
  return type == "application/json" || type.ends_with("+json");
}

Result<JsonObject> body_object(const EndpointReply& reply) {
  const Error wrong{.code = ErrorCode::HttpResponse, .message = "is no JSON object"};
  if (!is_json_type(reply.content_type)) return wrong;
  Result<Json> json =
      parse_json(reply.body, {.max_bytes = kMaxAnswerBytes, .max_depth = kMaxAnswerDepth});
  if (!json.ok() || !json->is_object()) return wrong;
  return std::move(json->get_object());
}

// What the provider says beside its status, as far as it may be shown.
ProviderError said_error(const EndpointReply& reply, const JsonObject& body,
                         const RequestSecrets& secrets) {
  const std::string code = text_field(body, "error");
  const std::string shown = shown_code(code, secrets);
  std::string message = reply.place + " refused";
  message += shown.empty() ? " with status " + std::to_string(reply.status) : ": " + shown;
  const std::string why = shown_description(text_field(body, "error_description"), secrets);
  if (!why.empty()) message += " (" + why + ")";
  return {.refusal = refusal_of(code),
          .code = shown.empty() ? "http_" + std::to_string(reply.status) : shown,
          .message = std::move(message)};
}

ProviderError status_error(const EndpointReply& reply, Refusal refusal, const std::string& words) {
  return {.refusal = refusal,
          .code = "http_" + std::to_string(reply.status),
          .message = reply.place + " answered " + std::to_string(reply.status) + words};
}

}  // namespace

Answer<EndpointReply> EndpointCaller::send(net::Request request, const Call& call,
                                           const Limit& limit) const {
  Result<net::Url> url = parse_endpoint(call.url, call.name);
  if (!url.ok()) return broken("unusable_endpoint", url.error().message);
  request.url = *url;
  request.headers = call.headers;
  request.headers.push_back({"Accept", "application/json"});
  request.max_body = kMaxAnswerBytes;
  request.overflow = net::Overflow::Cut;
  request.redirects = net::Redirects::Report;
  request.deadline = std::min(limit.deadline, Clock::now() + kMaxAnswerTime);
  request.stop = limit.stop;
  Result<net::Response> response = http_.send(request, policy_);
  if (!response.ok()) return unanswered(response.error());
  if (response->truncated) {
    return broken("unusable_answer", std::string(call.name) + " answered too much");
  }
  return EndpointReply{.place = std::string(call.name) + " " + url->safe_text(),
                       .status = response->status,
                       .content_type = response->header("content-type"),
                       .body = std::move(response->body)};
}

Answer<EndpointReply> EndpointCaller::post(const Call& call, const Limit& limit) const {
  Call form = call;
  form.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
  return send({.method = "POST", .url = {}, .body = form_encoded(call.form), .deadline = {}}, form,
              limit);
}

Answer<EndpointReply> EndpointCaller::get(const Call& call, const Limit& limit) const {
  return send({.url = {}, .deadline = {}}, call, limit);
}

Answer<JsonObject> read_reply(const EndpointReply& reply, const RequestSecrets& secrets) {
  const int status = reply.status;
  if (status >= 300 && status < 400) {
    return status_error(reply, Refusal::Broken, ": a redirect, which is not followed");
  }
  if (status >= 500 || status == 429 || status == 408) {
    return status_error(reply, Refusal::Retry, "");
  }
  Result<JsonObject> body = body_object(reply);
  if (status < 200 || status >= 300) {
    return said_error(reply, body.ok() ? *body : JsonObject{}, secrets);
  }
  if (!body.ok()) {
    return broken("unusable_answer", reply.place + " answered what is no JSON object");
  }
  if (!text_field(*body, "error").empty()) return said_error(reply, *body, secrets);
  return std::move(*body);
}

}  // namespace goondan::oauth
