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
  if (takes_time(method)) return queue(request);
  answer(request);
}

void ServerMessages::answer(const JsonObject& request) {
  const Json& id = request.at("id");
  const std::string method = text_field(request, "method");
  if (method == "ping") return send(make_result(id, JsonObject{}));
  InputAnswer given = answer_input(parts_.services, method, any_field(request, "params"));
  if (given.error != 0) return send(make_error(id, given.error, given.problem));
  send(make_result(id, std::move(given.result)));
}

void ServerMessages::send(const JsonObject& message) {
  Exchange* const exchange = exchange_;
  if (exchange == nullptr) return;
  const Result<void> sent = exchange->transport().send(message, Clock::now() + kAnswerTime);
  if (!sent.ok()) parts_.log.write(LogLevel::Warn, "no answer sent: " + sent.error().message);
}

void ServerMessages::queue(const JsonObject& request) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    if (questions_.size() < kMaxWaitingQuestions) {
      questions_.push_back(request);
      if (!worker_.joinable()) {
        worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
      }
      wake_.notify_one();
      return;
    }
  }
  send(make_error(request.at("id"), kInternalError, "too many questions at once"));
}

void ServerMessages::work(const std::stop_token& stop) {
  while (true) {
    JsonObject request;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !questions_.empty(); })) return;
      if (stop.stop_requested()) return;
      request = std::move(questions_.front());
      questions_.pop_front();
    }
    answer(request);
  }
}

void ServerMessages::close() {
  std::jthread worker;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    worker = std::move(worker_);
  }
  worker.request_stop();
  if (worker.joinable()) worker.join();
}

}  // namespace goondan::mcp
