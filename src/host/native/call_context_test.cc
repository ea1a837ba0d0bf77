#include "host/native/call_context.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

class NoHost final : public ToolHost {
 public:
  void log(LogLevel, std::string_view) override {}
  void progress(const Progress&) override {}
  Result<Json> request(std::string_view, const Json&) override { return Json(nullptr); }
};

TEST(CallContext, HoldsWhatTheCurrentDialectKnowsAndNothingElse) {  // REQ: CTX-1 CTX-2
  const CallScope scope{.agent_name = "writer"};
  NoHost host;
  const ToolContext context({.scope = scope,
                             .tool_call_id = "call-1",
                             .deadline = Clock::now() + std::chrono::minutes(1),
                             .stop = {},
                             .host = host});
  const Json parsed = parse_json(context_text(context)).value();
  std::set<std::string> keys;
  for (const auto& [key, value] : parsed.get_object())
    keys.emplace(key);
  EXPECT_EQ(keys, (std::set<std::string>{"agentName", "instanceKey", "message", "timeoutMs",
                                         "toolCallId", "traceId", "turnId", "workdir"}));
}

}  // namespace
}  // namespace goondan
