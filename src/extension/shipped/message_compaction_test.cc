#include "base/utf8.h"
#include "extension/extension_fixture.h"
#include "extension/shipped/digest.h"
#include "model/conversation.h"

namespace goondan {
namespace {

using test::call;

class MessageCompaction : public test::Extensions {
 protected:
  void talk(int exchanges, std::size_t length = 20) {
    for (int i = 0; i < exchanges; ++i) {
      said("question " + std::to_string(i) + " " + std::string(length, 'q'));
      answered("answer " + std::to_string(i) + " " + std::string(length, 'a'));
    }
  }
  void ran(const std::string& id, const std::string& tool, std::string output) {
    const ToolCall made = call(id, tool, {{"path", "a.txt"}});
    answered("", {made});
    returned(made, Json(JsonString(std::move(output))));
  }
  std::size_t characters() {
    std::size_t count = 0;
    for (const Message& message : conversation.messages()) {
      if (message.role() != Role::System) count += shipped::characters_of(message);
    }
    return count;
  }
  std::string first() { return conversation.texts().at(0); }
  // Whether every provider gets each call with its own result.
  bool whole() {
    std::map<std::string, int> open;
    for (const Message& message : conversation.messages()) {
      for (const ToolCall& one : message.tool_calls())
        ++open[one.id];
      if (message.role() == Role::Tool) --open[message.tool_call_id()];
    }
    return std::ranges::all_of(open, [](const auto& one) { return one.second == 0; });
  }
};

TEST_F(MessageCompaction, PutsASummaryInThePlaceOfTheOldest) {  // REQ: MW-2
  add("message-compaction", R"({"maxMessages": 10})");
  talk(6);
  turn("now");
  const auto texts = conversation.texts();
  ASSERT_LE(texts.size(), 10U);
  EXPECT_TRUE(texts[0].starts_with(
      "[Summary of 5 earlier messages of this conversation, shortened. It is no new request.]\n"
      "- user: question 0 qq"))
      << texts[0];
  EXPECT_NE(texts[0].find("\n- assistant: answer 0 aa"), std::string::npos);
  EXPECT_EQ(conversation.messages()[0].role(), Role::User);
  EXPECT_EQ(texts.back(), "now");
  EXPECT_TRUE(texts[texts.size() - 8].starts_with("answer 2"));  // the last eight are as they were
}

TEST_F(MessageCompaction, LeavesAConversationWithinItsLimitsAlone) {
  add("message-compaction");
  talk(10);
  conversation.changes = 0;
  turn("now");
  shown();
  EXPECT_EQ(conversation.changes, 1U);
}

TEST_F(MessageCompaction, MergesIntoTheSummaryThatIsThere) {
  add("message-compaction", R"({"maxMessages": 12})");
  for (int round = 0; round < 10; ++round) {
    talk(4);
    turn("turn " + std::to_string(round));
  }
  std::size_t summaries = 0;
  for (const std::string& text : conversation.texts())
    summaries += text.starts_with("[Summary of ") ? 1 : 0;
  EXPECT_EQ(summaries, 1U);
  EXPECT_TRUE(first().starts_with("[Summary of ")) << first();
  EXPECT_NE(first().find("- user: question 0"), std::string::npos);
  EXPECT_LE(utf8::length(first()), 3000U);
  EXPECT_LE(conversation.messages().size(), 12U);
}

TEST_F(MessageCompaction, FitsIntoItsCharacters) {
  add("message-compaction", R"({"maxCharacters": 4000})");
  talk(30, 150);
  turn("now");
  EXPECT_LE(characters(), 4000U);
  EXPECT_EQ(conversation.texts().back(), "now");
  EXPECT_NE(first().find("entries are left out.)\n- user: question 0"), std::string::npos)
      << first();
}

TEST_F(MessageCompaction, LetsEvenTheLastMessagesGoIfATurnWouldBeginTooLong) {
  add("message-compaction", R"({"maxCharacters": 3000})");
  talk(2, 1500);
  turn("now");
  EXPECT_LE(characters(), 3000U);
  EXPECT_EQ(conversation.texts().back(), "now");
  EXPECT_TRUE(conversation.texts()[1].starts_with("answer 1"));  // the last answer stays
}

TEST_F(MessageCompaction, KeepsCallsTogetherWithTheirResults) {
  add("message-compaction", R"({"maxMessages": 6, "keepLast": 2})");
  said("begin");
  for (int i = 0; i < 9; ++i)
    ran("c" + std::to_string(i), "files__read", "content " + std::to_string(i));
  turn("now");
  EXPECT_TRUE(whole());
  EXPECT_LE(conversation.messages().size(), 6U);
  EXPECT_NE(first().find("- called files__read {\"path\":\"a.txt\"}: content 0"), std::string::npos)
      << first();
}

TEST_F(MessageCompaction, SaysWhichCallsFailed) {
  add("message-compaction", R"({"maxMessages": 4, "keepLast": 0})");
  const ToolCall bad = call("b", "files__write");
  answered("I try", {bad});
  put(Message::tool_result(ToolCallResult::failure(bad, tool_error("disk full"))));
  talk(4);
  turn("now");
  EXPECT_NE(first().find("- assistant: I try\n- called files__write {}: failed, ERROR: disk full"),
            std::string::npos)
      << first();
}

TEST_F(MessageCompaction, KeepsPinnedMessagesAndThoseForTheSystem) {
  add("message-compaction", R"({"maxMessages": 6, "keepLast": 1})");
  Message system = Message::user("");
  system.data = {{"role", "system"}, {"content", "rules"}};
  put(system);
  said("never forget", {{"pinned", true}});
  talk(10);
  turn("now");
  const auto texts = conversation.texts();
  EXPECT_EQ(texts[0], "rules");
  EXPECT_EQ(texts[1], "never forget");
  EXPECT_LE(texts.size(), 7U);
}

TEST_F(MessageCompaction, WorksWithinALongTurnToo) {
  add("message-compaction", R"({"maxMessages": 10, "keepLast": 4})");
  input.input = "a long job";
  said("a long job");
  for (int i = 0; i < 30; ++i) {
    ran("c" + std::to_string(i), "files__read", "content");
    shown();  // a step
    ASSERT_LE(conversation.messages().size(), 12U);
    ASSERT_TRUE(whole());
    ASSERT_EQ(std::ranges::count(conversation.texts(), "a long job"), 1);
  }
}

TEST_F(MessageCompaction, LeavesALargeResultToTheStepThatReadsIt) {
  add("message-compaction", R"({"maxCharacters": 2000})");
  input.input = "read";
  said("read");
  ran("c1", "files__read", std::string(50'000, 'x'));
  shown();
  EXPECT_EQ(conversation.messages().size(), 3U);
}

TEST_F(MessageCompaction, FinishesWhatACrashCutOff) {
  add("message-compaction", R"({"maxMessages": 10})");
  talk(20);
  input.input = "now";
  said("now");
  conversation.changes_left = 5;
  const auto core = [](TurnContext&) { return TurnOutcome{.response = "ok"}; };
  EXPECT_EQ(resume(core).response, "ok");
  EXPECT_EQ(log_texts(LogLevel::Warn).size(), 1U);
  conversation.changes_left = 1000;
  resume(core);
  EXPECT_LE(conversation.messages().size(), 10U);
  EXPECT_TRUE(first().starts_with("[Summary of 33 earlier messages")) << first();
  EXPECT_EQ(first().find("question 0"), first().rfind("question 0"));
  EXPECT_TRUE(shipped::removing_of(conversation.messages()[0]).empty());
}

TEST_F(MessageCompaction, IsTakenByEveryProvider) {
  add("message-compaction", R"({"maxMessages": 6, "keepLast": 2})");
  for (int i = 0; i < 9; ++i)
    ran("c" + std::to_string(i), "files__read", "content");
  turn("now");
  const WireNames names(ToolCatalog(registry), conversation.messages());
  const WireConversation wire = wire_conversation("Be kind.", conversation.messages(), names, "x");
  EXPECT_EQ(wire.system.size(), 1U);
  EXPECT_EQ(wire.turns.front().side, WireTurn::Side::User);
  EXPECT_EQ(wire.turns.back().side, WireTurn::Side::User);
}

}  // namespace
}  // namespace goondan
