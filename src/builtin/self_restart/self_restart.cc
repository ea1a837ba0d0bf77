#include "builtin/self_restart/self_restart.h"

#include "builtin/arguments.h"
#include "builtin/self_restart/embedded.h"

namespace goondan::builtin::self_restart {
namespace {

constexpr std::string_view kDefaultReason = "tool:self-restart";

std::string trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kWhite);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kWhite) - first + 1));
}

// The answer is the signal: whoever runs the call acts on it. The runtime, if there is one, is told
// as well.
Result<Json> request(const Services&, ToolContext& context, const JsonObject& input) {
  std::string reason = trimmed(text_argument(input, "reason").value_or(kDefaultReason));
  if (reason.empty()) reason = kDefaultReason;
  const Result<Json> told = context.request("runtime.restart", JsonObject{{"reason", reason}});
  if (!told.ok()) {
    if (told.error().code != ErrorCode::RuntimeUnavailable) return told.error();
    context.log(LogLevel::Warn, "no orchestrator runs here, so nothing is restarted");
  }
  return JsonObject{{"ok", true}, {"restartRequested", true}, {"restartReason", reason}};
}

}  // namespace

Definition definition() {
  return {.name = "self-restart",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "request", .handle = request}}};
}

}  // namespace goondan::builtin::self_restart
