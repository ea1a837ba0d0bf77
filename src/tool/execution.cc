#include "tool/execution.h"

#include <exception>

#include "base/redactor.h"

namespace goondan {
namespace {

// Secrets are masked before the text is cut: half a secret is none that could be found later.
Error bounded(Error error, std::size_t limit, const Redactor* redactor) {
  if (redactor != nullptr) redactor->redact(error);
  error.message = truncate_error_message(error.message, limit);
  error.suggestion = truncate_error_message(error.suggestion, limit);
  return error;
}

// `{__async: true, handle, ...rest}` asks for a pending result with the rest as its output.
ToolCallResult outcome_of(const ToolCall& call, Json output) {
  const JsonObject* object = output.if_object();
  const Json* marker = object == nullptr ? nullptr : object->if_contains("__async");
  if (marker == nullptr || marker->if_bool() == nullptr || !marker->get_bool()) {
    return ToolCallResult::success(call, std::move(output));
  }
  const Json* handle = object->if_contains("handle");
  if (handle == nullptr || !handle->is_string() || handle->get_string().empty()) {
    return ToolCallResult::failure(
        call, {.code = ErrorCode::ToolBadReply,
               .message = "Tool '" + call.name + "' answered __async without a handle.",
               .suggestion = "The handler must return {__async: true, handle: \"<id>\"}."});
  }
  std::string id(handle->get_string());
  JsonObject rest = std::move(output.get_object());
  rest.erase("__async");
  rest.erase("handle");
  std::optional<Json> remaining;
  if (!rest.empty()) remaining = std::move(rest);
  return ToolCallResult::pending(call, std::move(id), std::move(remaining));
}

ToolCallResult call_handler(const ToolRegistry::Entry& tool, const ToolCall& call,
                            const JsonObject& args, const Redactor* redactor,
                            ToolContext& context) {
  const std::size_t limit = tool.error_message_limit;
  // The one place where a handler's exceptions end; anything may be thrown.
  try {
    Result<Json> answer = tool.handler(context, args);
    if (answer.ok()) return outcome_of(call, *std::move(answer));
    return ToolCallResult::failure(call, bounded(std::move(answer).error(), limit, redactor));
  } catch (const std::exception& error) {
    return ToolCallResult::failure(call, bounded(tool_error(error.what()), limit, redactor));
  } catch (...) {
    return ToolCallResult::failure(call, tool_error("Unknown tool execution error"));
  }
}

Error middleware_error(const std::string& layer, std::string_view what) {
  return {.code = ErrorCode::Middleware,
          .message = "middleware '" + layer + "' failed: " + std::string(what),
          .suggestion = "The tool may have run; look at the extension's log."};
}

ToolCallResult run_layers(const Admission& admission, const ToolCall& call,
                          const ExecutorOptions& options, ToolContext& context) {
  const Redactor* const redactor = options.redactor.get();
  ToolCallContext layered{.call = call, .tool = context, .args = call.input.get_object()};
  const std::size_t limit = admission.tool->error_message_limit;
  const auto core = [&](ToolCallContext& inner) {
    // A handler only ever sees arguments that pass its schema, also after a layer changed them. Its
    // own, not the one that was offered: a layer may fill in what the model is not to see.
    if (inner.args != call.input.get_object()) {
      if (auto error = argument_error(*admission.tool->catalog_entry, Json(inner.args), limit)) {
        return ToolCallResult::failure(call, *std::move(error));
      }
    }
    return call_handler(*admission.tool, call, inner.args, redactor, context);
  };
  const auto misuse = [&call](ToolCallContext&, Error error) {
    return ToolCallResult::failure(call, std::move(error));
  };
  std::string thrower;
  // Only a layer can throw here: `call_handler` never does.
  try {
    ToolCallResult result = options.pipeline->run(layered, core, misuse, &thrower);
    result.tool_call_id = call.id;
    result.tool_name = call.name;
    // What a layer says of a failure is as long, and as private, as what a handler says.
    if (result.error) result.error = bounded(*std::move(result.error), limit, redactor);
    return result;
  } catch (const std::exception& error) {
    return ToolCallResult::failure(
        call, bounded(middleware_error(thrower, error.what()), limit, redactor));
  } catch (...) {
    return ToolCallResult::failure(call, middleware_error(thrower, "unknown exception"));
  }
}

}  // namespace

ToolCallResult execute(const Admission& admission, const ToolCall& call,
                       const ExecutorOptions& options, ToolContext& context) {
  if (options.pipeline && !options.pipeline->empty()) {
    return run_layers(admission, call, options, context);
  }
  return call_handler(*admission.tool, call, call.input.get_object(), options.redactor.get(),
                      context);
}

std::chrono::milliseconds effective_timeout(const CallOptions& call, const ExecutorOptions& all) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::years{1};
  return std::min(call.timeout.count() > 0 ? call.timeout : all.timeout, kLongest);
}

Error cancelled_error(const ToolCall& call) {
  return {.code = ErrorCode::ToolCancelled,
          .message = "Tool '" + call.name + "' was cancelled before it finished.",
          .suggestion = "It may have done part of its work; check before calling it again."};
}

Error timeout_error(const ToolCall& call, std::chrono::milliseconds limit) {
  return {.code = ErrorCode::ToolTimeout,
          .message = "Tool '" + call.name + "' did not finish within " +
                     std::to_string(limit.count()) + " ms.",
          .suggestion =
              "Ask for less at a time, or raise the limit (policy.tools.timeoutMs in the "
              "bundle, --timeout-ms on the command line)."};
}

}  // namespace goondan
