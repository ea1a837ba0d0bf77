#include "host/native/in_process.h"

#include "host/native/call_bridge.h"
#include "host/native/call_context.h"
#include "host/native/plugin_json.h"
#include "host/native/protocol.h"

namespace goondan {
namespace {

// Passes everything on to the context of the call.
class ContextBridge final : public CallBridge {
 public:
  explicit ContextBridge(ToolContext& context) : CallBridge(context.stop()), context_(context) {}

  void log(int level, std::string_view text) override {
    const int known = std::clamp(level, GDN_LOG_DEBUG + 0, GDN_LOG_ERROR + 0);
    context_.log(static_cast<LogLevel>(known), text.substr(0, kMaxLogBytes));
  }

  void progress(double done, double total, std::string_view text) override {
    context_.progress(done, total, std::string(text.substr(0, kMaxLogBytes)));
  }

  RawReply request(std::string_view method, std::string_view params_json) override {
    Result<Json> answer = parse_json(params_json, kPluginJsonLimits);
    if (answer.ok()) answer = context_.request(method, *answer);
    if (answer.ok()) return {.status = GDN_REPLY_OK, .json = to_text(*answer)};
    return {.status = GDN_REPLY_ERROR, .json = to_text(error_to_json(answer.error()))};
  }

 private:
  ToolContext& context_;
};

}  // namespace

Result<Json> call_in_process(const gdn_export& exported, ToolContext& context,
                             const JsonObject& input) {
  const std::string input_json = input_text(input);
  const std::string context_json = context_text(context);
  ContextBridge bridge(context);
  const RawReply raw = GDN_TRY(
      invoke_export(exported, {.input = input_json, .context = context_json, .bridge = bridge}));
  ToolReply reply = GDN_TRY(parse_tool_reply(raw));
  return std::move(reply.outcome);
}

}  // namespace goondan
