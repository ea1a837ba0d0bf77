#include "extension/extension_fixture.h"

namespace goondan {
namespace {

using test::call;
using Texts = std::vector<std::string>;

class MessageWindow : public test::Extensions {};

TEST_F(MessageWindow, KeepsTheNewestMessages) {  // REQ: MW-2
  add("message-window", R"({"maxMessages": 3})");
  for (const char* text : {"one", "two", "three", "four"})
    said(text);
  turn("five");
  EXPECT_EQ(conversation.texts(), (Texts{"three", "four", "five"}));
}

TEST_F(MessageWindow, LeavesAShortConversationAlone) {
  add("message-window");
  for (int i = 0; i < 79; ++i)
    said("old");
  conversation.changes = 0;
  turn("new");
  EXPECT_EQ(conversation.changes, 1U);  // the message of the turn
  turn("newer");
  EXPECT_EQ(conversation.messages().size(), 80U);
}

TEST_F(MessageWindow, TakesACallAndItsResultsOutTogether) {
  add("message-window", R"({"maxMessages": 4})");
  const ToolCall a = call("a", "t__x");
  const ToolCall b = call("b", "t__y");
  said("question");
  answered("", {a, b});
  returned(a, "ra");
  said("meanwhile");
  returned(b, "rb");
  answered("answer");
  turn("next");
  EXPECT_EQ(conversation.texts(), (Texts{"meanwhile", "answer", "next"}));
}

TEST_F(MessageWindow, KeepsWhatStartsTheTurnWhatIsPinnedAndWhatIsForTheSystem) {
  add("message-window", R"({"maxMessages": 1})");
  Message system = Message::user("");
  system.data = {{"role", "system"}, {"content", "rules"}};
  put(system);
  said("pinned", {{"pinned", true}});
  said("old");
  turn("start");
  EXPECT_EQ(conversation.texts(), (Texts{"rules", "pinned", "start"}));
}

TEST_F(MessageWindow, LeavesATurnThatIsTakenUpAsItIs) {
  add("message-window", R"({"maxMessages": 2})");
  said("old");
  input.input = "start";
  said("start");
  const ToolCall a = call("a", "t__x");
  answered("", {a});
  returned(a, "ra");
  answered("", {call("b", "t__x")});  // its result is still to come
  resume([](TurnContext&) { return TurnOutcome{}; });
  EXPECT_EQ(conversation.texts(), (Texts{"start", "", "ra", ""}));
}

TEST_F(MessageWindow, TakesOutResultsWhoseCallIsGone) {
  add("message-window");
  returned(call("gone", "t__x"), "stray");
  turn("hi");
  EXPECT_EQ(conversation.texts(), Texts{"hi"});
}

TEST_F(MessageWindow, GoesOnWhenTheStoreFails) {
  add("message-window", R"({"maxMessages": 1})");
  said("old");
  input.input = "new";
  said("new");
  conversation.changes_left = 0;
  const TurnOutcome outcome = resume([](TurnContext&) { return TurnOutcome{.response = "ok"}; });
  EXPECT_EQ(outcome.response, "ok");
  EXPECT_EQ(log_texts(LogLevel::Warn).size(), 1U);
}

}  // namespace
}  // namespace goondan
