#include "agent/pairing.h"

#include "agent/turn_fixture.h"

namespace goondan::agent {
namespace {

using namespace test;

Message answer(std::vector<std::string> ids) {
  std::vector<ToolCall> calls;
  for (std::string& id : ids)
    calls.push_back(call(std::move(id), "t__x"));
  return calls_reply(std::move(calls)).to_message("fake", "s");
}

Message result(const std::string& id, const std::string& text = "r") {
  return Message::tool_result(ToolCallResult::success(call(id, "t__x"), Json(text)));
}

std::vector<std::string> ids_and_texts(const std::vector<Message>& messages) {
  std::vector<std::string> out;
  for (const Message& one : messages) {
    if (one.role() == Role::Tool) {
      const bool error = tool_message_is_error(one);
      out.push_back(one.tool_call_id() + "=" + (error ? error_code(one) : tool_message_text(one)));
    } else {
      out.push_back(one.role() == Role::Assistant ? "answer" : one.text());
    }
  }
  return out;
}

TEST(Pairing, LeavesWholePairsAlone) {
  const std::vector<Message> good{Message::user("u"), answer({"a", "b"}), result("a"), result("b"),
                                  answer({})};
  EXPECT_TRUE(paired(good));
  EXPECT_EQ(with_pairs(good), good);
  EXPECT_TRUE(paired({}));
}

TEST(Pairing, FillsMovesAndDropsResults) {  // REQ: DEC-8
  const std::vector<Message> bad{result("z"),       Message::user("u"),   answer({"a", "b", "c"}),
                                 result("b", "B"),  Message::user("mid"), result("a", "A"),
                                 result("a", "A2"), answer({"d"})};
  EXPECT_FALSE(paired(bad));
  const std::vector<Message> good = with_pairs(bad);
  EXPECT_TRUE(paired(good));
  EXPECT_EQ(ids_and_texts(good),
            (std::vector<std::string>{"u", "answer", "a=A", "b=B", "c=E_TOOL_INTERRUPTED", "mid",
                                      "answer", "d=E_TOOL_INTERRUPTED"}));
}

TEST(Pairing, GivesEachOfTwoCallsWithOneIdItsOwnResult) {
  const std::vector<Message> twice{answer({"a"}), result("a", "1"), answer({"a"}),
                                   result("a", "2")};
  EXPECT_TRUE(paired(twice));
  EXPECT_EQ(ids_and_texts(with_pairs(twice)),
            (std::vector<std::string>{"answer", "a=1", "answer", "a=2"}));
}

TEST(Pairing, NamesTheCallsThatStillWait) {
  const std::vector<Message> messages{answer({"x"}), answer({"a", "b"}), result("a")};
  const OpenCalls open = open_calls(messages);
  EXPECT_EQ(open.message, &messages[1]);
  ASSERT_EQ(open.calls.size(), 1U);
  EXPECT_EQ(open.calls[0].id, "b");
  EXPECT_EQ(open_calls({}).message, nullptr);
}

}  // namespace
}  // namespace goondan::agent
