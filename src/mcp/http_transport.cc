#include "mcp/http_transport.h"

#include "base/json_fields.h"
#include "mcp/http_endpoint.h"
#include "mcp/http_listener.h"
#include "mcp/http_pending.h"
#include "mcp/http_session.h"
#include "mcp/http_stream.h"

namespace goondan::mcp {
namespace {

// For telling the server something that it need not answer: a cancellation, the end of the session.
constexpr std::chrono::milliseconds kFarewellTime{1000};

class HttpTransport : public Transport {
 public:
  HttpTransport(std::unique_ptr<HttpEndpoint> endpoint, OnMessage on_message,
                std::function<void(LogLevel, std::string_view)> log)
      : endpoint_(std::move(endpoint)),
        session_(endpoint_->own_headers()),
        on_message_(std::move(on_message)),
        listener_({.endpoint = *endpoint_,
                   .session = session_,
                   .on_message = [this](const Json& message) { hear(message); },
                   .log = std::move(log)}) {}

  ~HttpTransport() override;

  Result<Json> request(const Outgoing& outgoing) override;
  Result<void> send(const Json& message, Deadline deadline) override;
  void set_era(Era era, std::string protocol_version) override {
    session_.set_era(era, std::move(protocol_version));
  }
  [[nodiscard]] bool alive() const override { return !session_.over(); }
  void listen() override {
    if (session_.era() == Era::Legacy) listener_.start();
  }

 private:
  Result<Json> ask(const Outgoing& outgoing, const HttpPending::Ticket& ticket);
  Result<Json> judge(const std::string& method, HttpAnswer& answer);
  Result<void> check_refusal(const HttpAnswer& answer);
  void tell_cancelled(const Json& message, const Error& why);
  void hear(const Json& message);

  std::unique_ptr<HttpEndpoint> endpoint_;
  HttpSession session_;
  HttpPending pending_;
  OnMessage on_message_;
  HttpListener listener_;
};

HttpTransport::~HttpTransport() {
  listener_.stop();
  std::optional<std::vector<net::Header>> headers = session_.end_headers();
  if (!headers) return;
  HttpAnswer answer(nullptr, {});
  answer.satisfied = true;
  // A server that keeps its sessions or is gone: nothing that anybody could do about it.
  static_cast<void>(endpoint_->exchange({.method = "DELETE",
                                         .headers = std::move(*headers),
                                         .deadline = Clock::now() + kFarewellTime},
                                        answer));
}

Result<Json> HttpTransport::request(const Outgoing& outgoing) {
  const Json id = any_field(object_or_empty(outgoing.message), "id");
  HttpPending::Ticket ticket(pending_, id, outgoing.stop);
  Result<Json> answer = ask(outgoing, ticket);
  if (answer.ok()) return answer;
  if (std::optional<Json> elsewhere = ticket.take()) return std::move(*elsewhere);
  const ErrorCode code = answer.error().code;
  if (code == ErrorCode::ToolCancelled || code == ErrorCode::ToolTimeout) {
    tell_cancelled(outgoing.message, answer.error());
  }
  return answer;
}

Result<Json> HttpTransport::ask(const Outgoing& outgoing, const HttpPending::Ticket& ticket) {
  const JsonObject& message = object_or_empty(outgoing.message);
  HttpCall call{.method = "POST",
                .headers = session_.post_headers(outgoing.message),
                .body = to_text(outgoing.message),
                .deadline = outgoing.deadline,
                .stop = ticket.stop()};
  if (call.body.size() > kMaxMessageBytes) {
    return endpoint_->named(
        {.code = ErrorCode::Limit,
         .message = "the request has more than " + std::to_string(kMaxMessageBytes) + " bytes"});
  }
  for (const auto& [name, value] : outgoing.headers) {
    call.headers.push_back({name, value});
  }
  HttpAnswer answer(any_field(message, "id"), [this](const Json& one) { hear(one); });
  GDN_TRY(fetch(*endpoint_, session_, call, answer));
  return judge(text_field(message, "method"), answer);
}

Result<Json> HttpTransport::judge(const std::string& method, HttpAnswer& answer) {
  GDN_TRY(check_refusal(answer));
  if (!answer.response()) {
    return endpoint_->named({.code = ErrorCode::Mcp,
                             .message = "its answer to '" + method + "' has no response in it"});
  }
  if (method == "initialize" && answer.ok()) {
    const Result<void> begun = session_.begin(answer.headers());
    if (!begun.ok()) return endpoint_->named(begun.error());
  }
  return std::move(*answer.response());
}

// A refusal that is a JSON-RPC error is an answer like others, unless its status says more.
Result<void> HttpTransport::check_refusal(const HttpAnswer& answer) {
  if (answer.ok()) return {};
  if (answer.status() == 404 && session_.begun() && session_.era() != Era::Modern) {
    session_.end();
    return endpoint_->named({.code = ErrorCode::McpServer,
                             .message = "the server has ended the session (HTTP status 404)",
                             .suggestion = "Try again: a new session will be begun."});
  }
  const bool forbidden = answer.status() == 401 || answer.status() == 403;
  if (!forbidden && answer.answered()) return {};
  return endpoint_->refusal(answer);
}

Result<void> HttpTransport::send(const Json& message, Deadline deadline) {
  HttpAnswer answer(nullptr, {});
  answer.satisfied = true;  // by the status
  const HttpCall call{.method = "POST",
                      .headers = session_.post_headers(message),
                      .body = to_text(message),
                      .deadline = deadline};
  GDN_TRY(endpoint_->exchange(call, answer));
  if (answer.ok()) return {};
  GDN_TRY(check_refusal(answer));
  return endpoint_->refusal(answer);
}

// In the modern era the end of the stream says it.
void HttpTransport::tell_cancelled(const Json& message, const Error& why) {
  const JsonObject& object = object_or_empty(message);
  if (session_.era() != Era::Legacy || !alive() || text_field(object, "method") == "initialize") {
    return;
  }
  const Json notification = {
      {"jsonrpc", "2.0"},
      {"method", "notifications/cancelled"},
      {"params", {{"requestId", any_field(object, "id")}, {"reason", why.message}}}};
  static_cast<void>(send(notification, Clock::now() + kFarewellTime));
}

void HttpTransport::hear(const Json& message) {
  if (object_or_empty(message).contains("method")) {
    if (on_message_) on_message_(message);
  } else {
    pending_.deliver(message);
  }
}

}  // namespace

Result<std::unique_ptr<Transport>> open_http(const Server& server, const net::HostPolicy& hosts,
                                             OnMessage on_message,
                                             std::function<void(LogLevel, std::string_view)> log) {
  std::unique_ptr<HttpEndpoint> endpoint = GDN_TRY(HttpEndpoint::make(server, hosts));
  return std::unique_ptr<Transport>(
      std::make_unique<HttpTransport>(std::move(endpoint), std::move(on_message), std::move(log)));
}

}  // namespace goondan::mcp
