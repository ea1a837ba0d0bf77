#include "extension/extension_fixture.h"

namespace goondan {
namespace {

class InterAgentResponseFormat : public test::Extensions {
 protected:
  void SetUp() override { add("inter-agent-response-format"); }

  void reply(std::string text, JsonObject about) {
    put(Message::user(std::move(text), {{"__goondanInterAgentResponse", std::move(about)}}));
  }
  std::string formatted() {
    step([](StepContext&) { return StepResult{}; });
    return conversation.texts().back();
  }
};

TEST_F(InterAgentResponseFormat, ShowsTheAnswerWithItsRequest) {  // REQ: MW-2
  reply("Agent reviewer:main answered the request r1:\n\nLooks good.\n\nShip it.",
        {{"requestId", "r1"},
         {"fromAgentId", "reviewer"},
         {"status", "ok"},
         {"requestEventType", "review"},
         {"requestMetadata", {{"file", "a.md"}}}});
  EXPECT_EQ(formatted(),
            "[Reply of another agent]\nAgent: reviewer\nRequest: r1 (review)\n"
            "You asked with: {\"file\":\"a.md\"}\nOutcome: answered\n\nLooks good.\n\nShip it.");
}

TEST_F(InterAgentResponseFormat, SaysWhyThereIsNoAnswer) {
  reply("Agent reviewer:main did not answer the request r1 in time.\n\nE_AGENT_TIMEOUT: slow",
        {{"requestId", "r1"},
         {"fromAgentId", "reviewer"},
         {"status", "timeout"},
         {"errorCode", "E_AGENT_TIMEOUT"},
         {"errorMessage", "slow"}});
  EXPECT_EQ(formatted(),
            "[Reply of another agent]\nAgent: reviewer\nRequest: r1\n"
            "Outcome: did not answer in time (E_AGENT_TIMEOUT): slow");
}

TEST_F(InterAgentResponseFormat, ReadsAnswersThatAreObjects) {
  reply(R"({"type": "inter_agent_response", "response": "42"})", {{"status", "ok"}});
  EXPECT_EQ(formatted(), "[Reply of another agent]\nAgent: unknown\nOutcome: answered\n\n42");
}

TEST_F(InterAgentResponseFormat, DoesItOnceAndKeepsTheMessagesId) {
  reply("Agent b:main answered the request r1:\n\nyes", {{"requestId", "r1"}, {"status", "ok"}});
  const std::string id = conversation.messages().back().id;
  const std::string once = formatted();
  const std::size_t changes = conversation.changes;
  EXPECT_EQ(formatted(), once);
  EXPECT_EQ(conversation.changes, changes);
  EXPECT_EQ(conversation.messages().back().id, id);
}

TEST_F(InterAgentResponseFormat, LeavesOtherMessagesAlone) {
  said("Agent x answered:\n\nno, the user said so");
  EXPECT_EQ(formatted(), "Agent x answered:\n\nno, the user said so");
}

TEST_F(InterAgentResponseFormat, LeavesOutWhatTheRequestSaid) {
  layers = {};
  add("inter-agent-response-format", R"({"includeRequestMetadata": false})");
  reply("yes", {{"status", "ok"}, {"requestMetadata", {{"file", "a.md"}}}});
  EXPECT_EQ(formatted(), "[Reply of another agent]\nAgent: unknown\nOutcome: answered\n\nyes");
}

}  // namespace
}  // namespace goondan
