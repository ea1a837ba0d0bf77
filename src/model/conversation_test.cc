#include "model/conversation.h"

#include <gtest/gtest.h>

#include "model/http_fixture.h"

namespace goondan {
namespace {

Message assistant(std::string text, std::vector<ToolCall> calls = {}) {
  return ModelReply{.text = std::move(text), .calls = std::move(calls)}.to_message("openai", "s");
}

Message result(std::string id, Json output) {
  return Message::tool_result(
      ToolCallResult::success({.id = std::move(id), .name = "t"}, std::move(output)));
}

// Each turn as a line: who, the texts, and the calls with their results.
std::string shape(const std::vector<Message>& messages) {
  const WireNames names(ToolCatalog(), messages);
  std::string lines;
  for (const WireTurn& turn : wire_conversation("", messages, names, "openai").turns) {
    lines += turn.side == WireTurn::Side::User ? "user" : "assistant";
    for (const WirePart& part : turn.parts) {
      if (part.kind == WirePart::Kind::Text) lines += " '" + part.text + "'";
      if (part.kind == WirePart::Kind::Opaque) lines += " opaque";
      if (part.kind != WirePart::Kind::Call) continue;
      const WireCall& call = turn.calls[part.call];
      lines += " " + call.id + "=" + call.result.substr(0, 20);
    }
    lines += "\n";
  }
  return lines;
}

TEST(Conversation, BeginsAndEndsWithTheUser) {
  EXPECT_EQ(shape({}), "user 'Begin.'\n");
  EXPECT_EQ(shape({assistant("a")}), "user 'Begin.'\nassistant 'a'\nuser 'Go on.'\n");
  EXPECT_EQ(shape({Message::user(" \n")}), "user 'Begin.'\n");
  EXPECT_EQ(shape({Message::user("a"), assistant("")}), "user 'a'\n");
}

TEST(Conversation, PutsMessagesOfOneSideTogether) {
  EXPECT_EQ(shape({Message::user("a"), Message::user("b"), assistant("c"), assistant("d"),
                   Message::user("e")}),
            "user 'a' 'b'\nassistant 'c' 'd'\nuser 'e'\n");
}

// REQ: DEC-8
TEST(Conversation, GivesEachCallExactlyOneResultInTheOrderOfTheCalls) {
  const std::vector<ToolCall> calls{{.id = "1", .name = "t"}, {.id = "2", .name = "t"}};
  EXPECT_EQ(
      shape({Message::user("a"), assistant("b", calls), result("2", "two"),
             Message::user("while they ran"), result("1", "one"), result("9", "nobody's"),
             assistant("c"), Message::user("d")}),
      "user 'a'\nassistant 'b' 1=one 2=two\nuser 'while they ran'\nassistant 'c'\nuser 'd'\n");
  EXPECT_EQ(shape({Message::user("a"), assistant("", calls), result("1", "")}),
            "user 'a'\nassistant 1=(no output) 2=ERROR: the call was \n");
  EXPECT_EQ(shape({result("1", "orphan"), Message::user("a")}), "user 'a'\n");
  EXPECT_EQ(shape({Message::user("a"), assistant("", calls), assistant("late"), result("1", "x")}),
            "user 'a'\nassistant 1=ERROR: the call was  2=ERROR: the call was \n"
            "assistant 'late'\nuser 'Go on.'\n");
}

TEST(Conversation, TellsApartCallsThatHaveTheSameId) {
  const std::vector<ToolCall> calls{{.id = "1", .name = "t"}, {.id = "1", .name = "t"}};
  const std::string lines =
      shape({Message::user("a"), assistant("", calls), result("1", "x"), result("1", "y")});
  EXPECT_TRUE(lines.starts_with("user 'a'\nassistant 1=x 1_")) << lines;
  EXPECT_TRUE(lines.ends_with("=y\n")) << lines;
}

TEST(Conversation, KeepsOpaquePartsOfTheSameProviderOnly) {
  const ModelReply reply{.text = "b", .opaque = json(R"([{"block":{"k":1}}])").as_array()};
  EXPECT_EQ(shape({Message::user("a"), reply.to_message("openai", "s"), Message::user("c")}),
            "user 'a'\nassistant opaque 'b'\nuser 'c'\n");
  EXPECT_EQ(shape({Message::user("a"), reply.to_message("anthropic", "s"), Message::user("c")}),
            "user 'a'\nassistant 'b'\nuser 'c'\n");
  const ModelReply only{.opaque = reply.opaque};
  EXPECT_EQ(shape({Message::user("a"), only.to_message("openai", "s"), Message::user("c")}),
            "user 'a' 'c'\n");
}

TEST(Conversation, CollectsWhatTheSystemSays) {
  const Message system =
      Message::from_json(json(R"({"id":"1","data":{"role":"system","content":"s2"}})")).value();
  const std::vector<Message> messages{Message::user("a"), system};
  const WireNames names(ToolCatalog(), messages);
  const WireConversation conversation = wire_conversation("s1", messages, names, "openai");
  EXPECT_EQ(conversation.system, (std::vector<std::string>{"s1", "s2"}));
  EXPECT_TRUE(wire_conversation(" ", {}, names, "openai").system.empty());
}

TEST(Conversation, TakesWhiteSpaceOfEveryScriptForBlank) {
  for (const std::string_view space : {"\u3000", "\u00a0", "\u2003\u200a", "\u0085 \u2028"}) {
    EXPECT_EQ(shape({Message::user("a"), Message::user(std::string(space))}), "user 'a'\n")
        << space;
  }
  EXPECT_EQ(shape({Message::user("\u3000\u200b")}), "user '\u3000\u200b'\n");
  EXPECT_EQ(shape({Message::user("\xe2\x80")}), "user '\xe2\x80'\n");
}

TEST(Conversation, EndsNoTurnOfTheAssistantWithAThought) {
  const Json thought = JsonObject{{"block", JsonObject{{"type", "thinking"}}}, {"textBefore", 1}};
  const Message message = ModelReply{.text = "a", .opaque = {thought}}.to_message("openai", "s");
  EXPECT_EQ(shape({Message::user("q"), message, Message::user("r")}),
            "user 'q'\nassistant 'a'\nuser 'r'\n");
  const Message lone = ModelReply{.opaque = {thought}}.to_message("openai", "s");
  EXPECT_EQ(shape({Message::user("q"), lone, Message::user("r")}), "user 'q' 'r'\n");
}

}  // namespace
}  // namespace goondan
