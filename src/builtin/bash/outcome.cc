#include "builtin/bash/outcome.h"

#include <algorithm>
#include <cmath>

#include "builtin/arguments.h"
#include "os/signal_name.h"

namespace goondan::builtin::bash {
namespace {

using std::chrono::milliseconds;

constexpr double kDefaultTimeoutMs = 30'000;
// Stands for "as long as the operator allows", which the call's own deadline then says.
constexpr milliseconds kLongest = std::chrono::years{1};

milliseconds timeout_of(const JsonObject& input) {
  const double given = number_argument(input, "timeoutMs").value_or(kDefaultTimeoutMs);
  if (given <= 0 || given >= static_cast<double>(kLongest.count())) return kLongest;
  return milliseconds(static_cast<milliseconds::rep>(std::ceil(given)));
}

// Death by a signal has no exit code.
Json exit_code(const os::ExitStatus& status) {
  return status.how == os::ExitStatus::How::Exited ? status.number : -1;
}

Json signal_text(const os::ExitStatus& status) {
  if (status.how != os::ExitStatus::How::Signalled) return nullptr;
  return Json(os::signal_name(status.number));
}

}  // namespace

Result<os::CommandOutcome> run(const Services& services, const ToolContext& context,
                               os::Command command, const JsonObject& input) {
  GDN_TRY(services.commands->start());  // its time is not the command's
  command.deadline = deadline_within(context, timeout_of(input), Ending::Slow);
  command.stop = context.stop();
  os::CommandOutcome outcome = GDN_TRY(services.commands->run(std::move(command)));
  if (outcome.end != os::CommandOutcome::End::Stopped) return outcome;
  return Error{.code = ErrorCode::ToolCancelled,
               .message = "the command was cancelled and ended with everything it had started",
               .suggestion = "It may have done part of its work; check before running it again."};
}

void add_outcome(JsonObject& result, const os::CommandOutcome& outcome, const Redactor& redactor) {
  const auto duration = std::chrono::duration_cast<milliseconds>(outcome.duration);
  result["durationMs"] = duration.count();
  result["stdout"] = outcome.out.text(redactor);
  result["stderr"] = outcome.err.text(redactor);
  result["exitCode"] = exit_code(outcome.status);
  result["signal"] = signal_text(outcome.status);
  result["timedOut"] = outcome.end == os::CommandOutcome::End::TimedOut;
  if (outcome.out.cut() || outcome.err.cut()) {
    result["truncated"] = true;
    result["stdoutBytes"] = outcome.out.total();
    result["stderrBytes"] = outcome.err.total();
  }
  if (outcome.background > 0) result["endedBackground"] = outcome.background;
}

}  // namespace goondan::builtin::bash
