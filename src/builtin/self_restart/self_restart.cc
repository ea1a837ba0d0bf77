#include "builtin/self_restart/self_restart.h"

#include "base/white_space.h"
#include "builtin/arguments.h"
#include "builtin/self_restart/embedded.h"

namespace goondan::builtin::self_restart {
namespace {

constexpr std::string_view kDefaultReason = "tool:self-restart";

// The answer is the signal: whoever runs the call acts on it. The runtime, if there is one, is told
// as well.
Result<Json> request(const Services&, ToolContext& context, const JsonObject& input) {
  const std::string_view given = text_argument(input, "reason").value_or(kDefaultReason);
  const std::string_view trimmed = unicode::trim_end(unicode::trim_start(given));
  const std::string_view reason = trimmed.empty() ? kDefaultReason : trimmed;
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
