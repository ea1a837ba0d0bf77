#include "agent/call_recorder.h"

#include <array>

#include "agent/bounded_text.h"
#include "agent/stored_result.h"
#include "agent/turn_runner.h"
#include "base/json_fields.h"
#include "base/log_level.h"
#include "tool/call_status.h"

namespace goondan::agent {
namespace {

constexpr std::chrono::seconds kOpenHandleTime{5};

JsonObject completed_fields(const ToolCall& call, const ToolCallResult& result,
                            std::chrono::nanoseconds duration) {
  using std::chrono::milliseconds;
  JsonObject fields{
      {"toolName", call.name}, {"toolCallId", call.id}, {"status", status_name(result.status)}};
  if (result.handle) fields["handle"] = *result.handle;
  if (result.output) fields["output"] = observed_value(*result.output);
  if (result.error) fields["error"] = error_json(*result.error);
  fields["durationMs"] = std::chrono::duration_cast<milliseconds>(duration).count();
  return fields;
}

JsonObject handle_params(const ToolCallResult& result) {
  JsonObject params{{"handle", *result.handle},
                    {"toolName", result.tool_name},
                    {"toolCallId", result.tool_call_id}};
  if (result.output) params["output"] = frame_value(*result.output);
  return params;
}

bool means_gone(const Error& error) {
  return error.code == ErrorCode::AgentStopped || error.code == ErrorCode::Io;
}

Error no_runtime(const std::string& handle) {
  return {.code = ErrorCode::RuntimeUnavailable,
          .message = "nobody keeps the handle '" + handle + "': no orchestrator runs here",
          .suggestion = "Run the agent with 'gdn run'."};
}

}  // namespace

void CallRecorder::begin_step(StepFrame frame) {
  auto shared = std::make_shared<const StepFrame>(std::move(frame));
  failure_.reset();
  handle_left_ = false;
  opened_.clear();
  const std::lock_guard lock(mutex_);
  frame_ = std::move(shared);
}

std::shared_ptr<const StepFrame> CallRecorder::frame() const {
  const std::lock_guard lock(mutex_);
  return frame_;
}

Span CallRecorder::call_span(const StepFrame& frame, const ToolCall& call) {
  return child_span(frame.span, "execute_tool " + call.name, call_span_id(frame.turn_id, call.id));
}

void CallRecorder::note(const Result<void>& written) {
  if (written.ok() || failure_) return;
  failure_ = written.error();
  parts_.stops.stop_calls();
}

void CallRecorder::on_start(const ToolCall& call) {
  const auto step = frame();
  if (!failure_) {
    note(parts_.store.begin_call(step->turn_id, {.call_id = call.id, .tool_name = call.name}));
  }
  parts_.reporter.tell(
      "tool.called", step->turn_id, call_span(*step, call),
      {{"toolName", call.name}, {"toolCallId", call.id}, {"args", observed_value(call.input)}});
}

void CallRecorder::on_progress(const ToolCall& call, const Progress& progress) {
  const auto step = frame();
  parts_.reporter.tell("tool.progress", step->turn_id, call_span(*step, call),
                       {{"toolCallId", call.id},
                        {"done", progress.done},
                        {"total", progress.total},
                        {"text", frame_text(progress.text)}});
}

void CallRecorder::on_log(const ToolCall& call, LogLevel level, std::string_view text) {
  const auto step = frame();
  parts_.reporter.tell(
      "tool.log", step->turn_id, call_span(*step, call),
      {{"toolCallId", call.id}, {"level", level_name(level)}, {"text", frame_text(text)}});
}

void CallRecorder::on_end(const ToolCall& call, const ToolCallResult& result,
                          std::chrono::nanoseconds duration) {
  const auto step = frame();
  note(parts_.store.end_call(step->turn_id, call.id, result_to_store(result)));
  if (result.status != CallStatus::Pending || failure_) return tell_result(call, result, duration);
  // At once, not when the step ends: the work may be done before that.
  ToolCallResult opened = result;
  open_handle(call, opened);
  tell_result(call, opened, duration);
}

void CallRecorder::tell_result(const ToolCall& call, const ToolCallResult& result,
                               std::chrono::nanoseconds duration) {
  const auto step = frame();
  Span span = call_span(*step, call);
  span.start_ns -= duration.count();
  span.attributes = {{"gen_ai.operation.name", "execute_tool"},
                     {"gen_ai.tool.name", call.name},
                     {"gen_ai.tool.call.id", call.id}};
  parts_.reporter.tell("tool.completed", step->turn_id, span,
                       completed_fields(call, result, duration));
  parts_.spans.end(std::move(span), result.error);
}

void CallRecorder::open_handle(const ToolCall& call, ToolCallResult& result) {
  if (result.status != CallStatus::Pending || !result.handle || handle_left_) return;
  const auto known = opened_.find(call.id);
  std::optional<Error> refused;
  if (known != opened_.end()) {
    refused = known->second;
  } else if (parts_.runtime == nullptr) {
    refused = no_runtime(*result.handle);
  } else {
    const std::stop_token never;
    const Result<Json> answer = parts_.runtime->request({.call = call,
                                                         .scope = *frame()->scope,
                                                         .deadline = Clock::now() + kOpenHandleTime,
                                                         .stop = never},
                                                        "handles.open", handle_params(result));
    if (!answer.ok() && means_gone(answer.error())) {
      handle_left_ = true;
      return parts_.stops.interrupt();
    }
    if (!answer.ok()) refused = answer.error();
  }
  opened_[call.id] = refused;
  if (refused) result = ToolCallResult::failure(call, *std::move(refused));
}

}  // namespace goondan::agent
