#include "agent/conversation.h"

#include "agent/bounded_text.h"
#include "agent/turn_fixture.h"
#include "base/utf8.h"

namespace goondan::agent {
namespace {

using namespace test;

class Conversations : public Turns {
 protected:
  Conversation load() {
    auto loaded =
        Conversation::load(*store, [this](std::string_view change, const std::string& id) {
          missing.push_back(std::string(change) + " " + id);
        });
    EXPECT_TRUE(loaded.ok());
    return *std::move(loaded);
  }

  std::vector<std::string> missing;
};

TEST_F(Conversations, AreTheSameWhenTheyAreReadAgain) {  // REQ: CALL-8
  Conversation one = load();
  for (const char* text : {"a", "b", "c"}) {
    Message message = Message::user(text);
    message.id = text;
    EXPECT_TRUE(one.append(message).ok());
  }
  EXPECT_TRUE(one.replace("b", Message::user("B")).ok());
  EXPECT_TRUE(one.remove("a").ok());
  EXPECT_TRUE(one.remove("a").ok());
  EXPECT_TRUE(one.replace("gone", Message::user("x")).ok());
  EXPECT_EQ(missing, (std::vector<std::string>{"remove a", "replace gone"}));
  EXPECT_EQ(load().messages(), one.messages());
  ASSERT_EQ(one.messages().size(), 2U);
  EXPECT_EQ(one.messages()[0].text(), "B");
  EXPECT_TRUE(one.truncate().ok());
  EXPECT_TRUE(load().messages().empty());
}

TEST_F(Conversations, RefuseWhatCouldNotBeReadAgain) {
  Conversation one = load();
  EXPECT_EQ(one.append({.data = {{"role", "nobody"}}}).error().code, ErrorCode::JsonParse);
  Message deep = Message::user("x");
  Json value = 1;
  for (int i = 0; i < 150; ++i)
    value = JsonArray{std::move(value)};
  deep.metadata["deep"] = value;
  EXPECT_EQ(one.append(deep).error().code, ErrorCode::Limit);
  EXPECT_TRUE(one.messages().empty());
}

TEST_F(Conversations, SayThatTheyAreDamaged) {
  const store::MessageEvent event{.message = {.id = "m", .json = "{\"id\":"}};
  ASSERT_TRUE(store->append({&event, 1}).ok());
  const TurnOutcome outcome = turns().run(message("m1"));
  EXPECT_EQ(outcome.error->code, ErrorCode::StoreCorrupt);
  EXPECT_NE(outcome.error->message.find("'m'"), std::string::npos);
}

TEST(BoundedText, NeverSplitsACharacter) {
  const std::string text = "aé€😀z";
  for (std::size_t bytes = 0; bytes <= text.size() + 1; ++bytes) {
    EXPECT_TRUE(utf8::valid(byte_prefix(text, bytes)));
    EXPECT_LE(byte_prefix(text, bytes).size(), bytes);
    EXPECT_GT(byte_prefix(text, bytes).size() + 4, std::min(bytes, text.size()));
  }
  const std::string stray = "\xff\xff\xff\xff";
  EXPECT_EQ(byte_prefix(stray, 2).size(), 2U);
}

TEST(BoundedText, CountsEscapesToo) {
  const std::string text = "\"\\\n\x01é\xff";
  for (std::size_t bytes = 0; bytes < 30; ++bytes) {
    const std::string_view cut = json_prefix(text, bytes);
    EXPECT_LE(to_text(Json(JsonString(cut))).size(), bytes + 2);
  }
  EXPECT_EQ(json_prefix(text, 30), text);
}

TEST(BoundedText, ShowsSmallValuesAsTheyAre) {
  const Json small{{"a", 1}};
  EXPECT_EQ(observed_value(small), small);
  const Json shown = observed_value(Json(JsonString(std::string(5'000, 'x'))));
  EXPECT_LT(shown.as_string().size(), 2'100U);
}

TEST(TurnMessages, TravelUnchanged) {
  TurnMessage sent = test::message("m1");
  sent.call_stack = {"a@x", "b@y"};
  sent.attempt = 3;
  sent.trace_id = "t";
  sent.parent_span_id = "p";
  const auto got = TurnMessage::from_json(sent.to_json());
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(to_text(got->to_json()), to_text(sent.to_json()));
  EXPECT_EQ(TurnMessage::from_json(Json("x")).error().code, ErrorCode::Ipc);
  EXPECT_FALSE(TurnMessage::from_json(JsonObject{{"input", "no id"}}).ok());
}

TEST(TurnOutcomes, TravelUnchanged) {
  const TurnOutcome ok{.response = "yes", .finish_reason = "max_steps"};
  EXPECT_EQ(to_text(TurnOutcome::from_json(ok.to_json("m")).to_json("m")),
            to_text(ok.to_json("m")));
  const TurnOutcome unreadable = TurnOutcome::from_json(Json(5));
  EXPECT_EQ(unreadable.status, TurnStatus::Error);
  EXPECT_TRUE(unreadable.error.has_value());
}

}  // namespace
}  // namespace goondan::agent
