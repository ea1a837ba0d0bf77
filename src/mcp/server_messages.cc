#include "mcp/server_messages.h"

#include "base/json_fields.h"
#include "mcp/input_requests.h"

namespace goondan::mcp {
namespace {

// For sending an answer.
constexpr std::chrono::seconds kAnswerTime{5};

LogLevel level_of(std::string_view name) {
  if (name == "debug") return LogLevel::Debug;
  if (name == "warning") return LogLevel::Warn;
  if (name == "error" || name == "critical" || name == "alert" || name == "emergency") {
    return LogLevel::Error;
  }
  return LogLevel::Info;
}

bool takes_time(std::string_view method) {
  return method == "elicitation/create" || method == "sampling/createMessage";
}

}  // namespace

void ServerMessages::attach(Exchange* exchange) {
  exchange_ = exchange;
}

void ServerMessages::take(const Json& message) {
  const JsonObject& object = object_or_empty(message);
  switch (kind_of(message)) {
    case MessageKind::Notification:
      return take_notification(text_field(object, "method"),
                               object_or_empty(any_field(object, "params")));
    case MessageKind::Request:
      return take_request(object);
    case MessageKind::Response:
    case MessageKind::Nonsense:
      return;
  }
}

void ServerMessages::take_notification(std::string_view method, const JsonObject& params) {
  Exchange* const exchange = exchange_;
  if (method == "notifications/progress") {
    if (exchange != nullptr) exchange->take_progress(params);
  } else if (method == "notifications/message") {
    note(params);
  } else if (method == "notifications/tools/list_changed") {
    if (parts_.on_tools_changed) parts_.on_tools_changed();
  }
}

void ServerMessages::note(const JsonObject& params) {
  const Json data = any_field(params, "data");
  const std::string logger = text_field(params, "logger");
  const std::string text = data.is_string() ? std::string(data.get_string()) : to_text(data);
  parts_.log.write(level_of(text_field(params, "level")),
                   logger.empty() ? text : logger + ": " + text);
}

void ServerMessages::take_request(const JsonObject& request) {
  Exchange* const exchange = exchange_;
  const std::string method = text_field(request, "method");
  if (exchange == nullptr || exchange->era() == Era::Modern) {
    parts_.log.write(LogLevel::Warn, "a request that is not answered: " + clean_text(method, 100));
    return;
  }
  if (takes_time(method)) return ask_services(request);
  reply(answer_to(request));
}

JsonObject ServerMessages::answer_to(const JsonObject& request) {
  const Json& id = request.at("id");
  const std::string method = text_field(request, "method");
  if (method == "ping") return make_result(id, JsonObject{});
  InputAnswer given = answer_input(parts_.services, method, any_field(request, "params"));
  if (given.error != 0) return make_error(id, given.error, given.problem);
  return make_result(id, std::move(given.result));
}

void ServerMessages::reply(JsonObject answer) {
  const JobLine::Taken taken = answers_.add([this, answer = std::move(answer)] { send(answer); });
  if (taken == JobLine::Taken::TooMany) {
    parts_.log.write(LogLevel::Warn, "a request that is not answered: too many at once");
  }
}

void ServerMessages::send(const JsonObject& message) {
  Exchange* const exchange = exchange_;
  if (exchange == nullptr) return;
  const Result<void> sent = exchange->transport().send(message, Clock::now() + kAnswerTime);
  if (!sent.ok()) parts_.log.write(LogLevel::Warn, "no answer sent: " + sent.error().message);
}

// Elicitation and sampling take their time.
void ServerMessages::ask_services(const JsonObject& request) {
  const JobLine::Taken taken = questions_.add([this, request] { send(answer_to(request)); });
  if (taken != JobLine::Taken::TooMany) return;
  reply(make_error(request.at("id"), kInternalError, "too many questions at once"));
}

void ServerMessages::close() {
  questions_.close();
  answers_.close();
}

}  // namespace goondan::mcp
