// logging: turns and steps at `info`, calls at `debug`, each with how long it took.
#include <array>

#include "extension/shipped/extension_config.h"
#include "extension/shipped/extension_message.h"
#include "extension/shipped/shipped.h"
#include "tool/call_status.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kMaxShownArgs = 500;   // code points
constexpr std::size_t kMaxShownError = 300;  // code points

enum class Args { Hide, Show };

struct Logging {
  LogLevel level;
  Args args;
  std::function<void(LogLevel, std::string_view)> log;

  [[nodiscard]] bool wants(LogLevel at) const { return at >= level; }
  void say(LogLevel at, std::string_view text) const {
    if (wants(at)) log(at, text);
  }
};

std::string since(Clock::time_point start) {
  const auto took = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.1f ms", took);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string shown(const std::optional<Error>& error) {
  if (!error) return "no reason given";
  return std::string(error->code_text()) + ": " + one_line(error->message, kMaxShownError);
}

TurnOutcome log_turn(const Logging& logging, TurnContext& context, TurnPipeline::Next& next) {
  const Clock::time_point start = Clock::now();
  const std::string turn = "turn " + context.turn_id;
  logging.say(LogLevel::Info,
              turn + " started (event " + one_line(context.input.event_type, kMaxShownError) + ")");
  TurnOutcome outcome = next();
  if (outcome.status == TurnStatus::Error) {
    logging.say(LogLevel::Error,
                turn + " failed after " + since(start) + ": " + shown(outcome.error));
  } else {
    logging.say(LogLevel::Info, turn + " ended after " + since(start) + " (" +
                                    one_line(outcome.finish_reason, kMaxShownError) + ")");
  }
  return outcome;
}

StepResult log_step(const Logging& logging, StepContext& context, StepPipeline::Next& next) {
  const Clock::time_point start = Clock::now();
  const std::string step = "step " + std::to_string(context.step_index) + " of " + context.turn_id;
  StepResult result = next();
  if (result.status == StepResult::Status::Failed) {
    logging.say(LogLevel::Warn,
                step + " failed after " + since(start) + ": " + shown(result.error));
  } else {
    logging.say(LogLevel::Info, step + " ended after " + since(start) +
                                    ", calls: " + std::to_string(result.calls.size()));
  }
  return result;
}

ToolCallResult log_call(const Logging& logging, ToolCallContext& context,
                        ToolCallPipeline::Next& next) {
  if (!logging.wants(LogLevel::Debug)) return next();
  const Clock::time_point start = Clock::now();
  std::string text = "call " + context.call.name + " (" + context.call.id + ")";
  if (logging.args == Args::Show) text += " " + one_line(to_text(context.args), kMaxShownArgs);
  ToolCallResult result = next();
  text += ": " + std::string(status_name(result.status)) + " after " + since(start);
  if (result.error) text += ", " + shown(result.error);
  logging.log(LogLevel::Debug, text);
  return result;
}

}  // namespace

Result<void> register_logging(ExtensionSite& site, const JsonObject& config) {
  static constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warn", "error"};
  ExtensionConfig reader(site.name, config);
  const auto level = static_cast<LogLevel>(reader.choice("level", kLevels, 1));
  const Args args = reader.flag("includeToolArgs", false) ? Args::Show : Args::Hide;
  GDN_TRY(reader.finish());
  const Logging logging{.level = level, .args = args, .log = site.log};
  site.layers.turn.add(site.name, [logging](TurnContext& context, TurnPipeline::Next& next) {
    return log_turn(logging, context, next);
  });
  site.layers.step.add(site.name, [logging](StepContext& context, StepPipeline::Next& next) {
    return log_step(logging, context, next);
  });
  site.layers.tool_call.add(site.name,
                            [logging](ToolCallContext& context, ToolCallPipeline::Next& next) {
                              return log_call(logging, context, next);
                            });
  return {};
}

}  // namespace goondan::shipped
