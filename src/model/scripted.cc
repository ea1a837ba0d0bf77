#include "model/scripted.h"

#include <utility>

#include "base/json_fields.h"
#include "base/utf8.h"
#include "model/scripted_choice.h"
#include "model/scripted_reader.h"
#include "model/scripted_template.h"
#include "os/wait.h"

namespace goondan {
namespace {

using scripted::Choice;
using scripted::Reply;
using scripted::Script;

// The text comes in pieces of about this size, cut after a space where there is one.
constexpr std::size_t kPieceCodePoints = 16;
constexpr std::size_t kShownCodePoints = 100;

std::string cut(std::string_view text) {
  const std::string_view shown = utf8::prefix(text, kShownCodePoints);
  return "'" + std::string(shown) + (shown.size() < text.size() ? "..." : "") + "'";
}

std::string describe_last(const ModelRequest& request) {
  if (request.messages.empty()) return "an empty conversation";
  const Message& last = request.messages.back();
  switch (last.role()) {
    case Role::User:
      return "the message " + cut(last.text()) + " of the user";
    case Role::Tool:
      return "the result " + cut(tool_message_text(last)) + " of the tool '" +
             text_field(object_or_empty(last.data), "toolName") + "'";
    case Role::Assistant:
      return "the message " + cut(last.text()) + " of the assistant";
    case Role::System:
      return "the message " + cut(last.text()) + " of the system";
  }
  return "the conversation";
}

Error nothing_fits(const Script& script, const Choice& choice, const ModelRequest& request) {
  return {.code = ErrorCode::Script,
          .message = "no reply in '" + script.file + "' fits " + describe_last(request) +
                     " (turn " + std::to_string(choice.situation.turn) + ", step " +
                     std::to_string(choice.situation.step) + ")",
          .suggestion = "Add a reply with a fitting `when`, or one without `when` at the end."};
}

Result<void> pause(std::chrono::milliseconds time, const ModelRequest& request,
                   const os::StopWaker& stop) {
  if (stop.stopped()) {
    return Error{.code = ErrorCode::ToolCancelled, .message = "the model's answer was stopped"};
  }
  if (time.count() == 0) return {};
  const Deadline end = std::min(Clock::now() + time, request.deadline);
  if (os::wait_any({}, end, stop) == os::Wake::Stopped) {
    return Error{.code = ErrorCode::ToolCancelled, .message = "the model's answer was stopped"};
  }
  if (Clock::now() < request.deadline) return {};
  return Error{.code = ErrorCode::ModelTimeout,
               .message = "the scripted model has not answered in time",
               .suggestion = "Shorten `delayMs`, or give the model more time."};
}

std::string_view next_piece(std::string_view text) {
  const std::string_view piece = utf8::prefix(text, kPieceCodePoints);
  if (piece.size() == text.size()) return piece;
  const std::size_t space = piece.rfind(' ');
  return space == std::string_view::npos ? piece : piece.substr(0, space + 1);
}

Result<void> stream(std::string_view text, const Reply& reply, const ModelRequest& request,
                    ModelObserver& observer) {
  const os::StopWaker stop(request.stop);
  for (bool first = true; !text.empty(); first = false) {
    GDN_TRY(pause(first ? std::chrono::milliseconds(0) : reply.piece_delay, request, stop));
    const std::string_view piece = next_piece(text);
    observer.on_text(piece);
    text.remove_prefix(piece.size());
  }
  return {};
}

// The same conversation gives the same ids.
std::string call_id(const scripted::Call& call, const Choice& choice, std::size_t index) {
  if (!call.id.empty()) return call.id;
  return "call_" + std::to_string(choice.situation.answers + 1) + "_" + std::to_string(index + 1);
}

Result<ModelReply> fill_in(const Choice& choice, const ModelRequest& request) {
  const JsonObject scope = scope_of(choice, request);
  scripted::Expander expander(scope);
  const Reply& reply = *choice.reply;
  ModelReply answer{.usage = reply.usage};
  answer.text = GDN_TRY(expander.text(reply.text));
  for (std::size_t i = 0; i < reply.calls.size(); ++i) {
    const scripted::Call& call = reply.calls[i];
    const std::string id = call_id(call, choice, i);
    if (call.raw_arguments) {
      const std::string arguments = GDN_TRY(expander.text(*call.raw_arguments));
      answer.calls.push_back(ToolCall::from_text(id, call.tool, arguments));
    } else {
      Json input = GDN_TRY(expander.value(call.args));
      answer.calls.push_back({.id = id, .name = call.tool, .input = std::move(input)});
    }
  }
  const auto natural = reply.calls.empty() ? FinishReason::Stop : FinishReason::ToolCalls;
  answer.finish = reply.finish.value_or(natural);
  return answer;
}

Result<void> fail_as_told(const Reply& reply, ModelObserver& observer) {
  if (!reply.failure) return {};
  if (reply.failure->times == 0) return reply.failure->error;
  for (std::size_t i = 1; i <= reply.failure->times; ++i)
    observer.on_retry(static_cast<int>(i), std::chrono::milliseconds(0), reply.failure->error);
  return {};
}

class ScriptedModel final : public Model {
 public:
  explicit ScriptedModel(Script script) : script_(std::move(script)) {}

  Result<ModelReply> reply(const ModelRequest& request, ModelObserver& observer) override {
    const Choice choice = choose(script_, request.system, request.messages);
    if (choice.reply == nullptr) return nothing_fits(script_, choice, request);
    Result<ModelReply> answer = fill_in(choice, request);
    if (!answer.ok()) {
      answer.error().message = choice.reply->where + ": " + answer.error().message;
      return answer;
    }
    GDN_TRY(pause(choice.reply->delay, request, os::StopWaker(request.stop)));
    GDN_TRY(fail_as_told(*choice.reply, observer));
    GDN_TRY(stream(answer->text, *choice.reply, request, observer));
    answer->model = script_.file;
    return answer;
  }

  [[nodiscard]] std::string provider() const override { return std::string(kScriptedProvider); }
  [[nodiscard]] std::string id() const override { return script_.file; }

 private:
  const Script script_;
};

}  // namespace

Result<std::shared_ptr<Model>> make_scripted_model(const ModelResource& resource,
                                                   const ModelServices& services) {
  Script script = GDN_TRY(scripted::load_script(resource, services.bundle_root));
  return std::shared_ptr<Model>(std::make_shared<ScriptedModel>(std::move(script)));
}

}  // namespace goondan
