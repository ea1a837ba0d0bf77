#include "mcp/json_rpc.h"

#include <gtest/gtest.h>

#include "mcp/message_sorter.h"

namespace goondan::mcp {
namespace {

MessageKind kind(std::string_view text) {
  return kind_of(parse_json(text).value());
}

TEST(JsonRpc, TellsMessagesFromNonsense) {
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":1,"result":{}})"), MessageKind::Response);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":1,"error":{"code":1}})"), MessageKind::Response);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":"a","method":"ping"})"), MessageKind::Request);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","method":"ping"})"), MessageKind::Notification);
  for (const char* text :
       {R"({"id":1,"result":{}})", R"({"jsonrpc":"2.0","id":1})", "[]", "null", "5", R"("x")",
        R"({"jsonrpc":"1.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","id":null,"method":"x"})",
        R"({"jsonrpc":"2.0","id":{},"method":"x"})", R"({"jsonrpc":"2.0","id":1,"method":5})",
        R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})",
        R"({"jsonrpc":"2.0","id":1,"error":"x"})", R"([{"jsonrpc":"2.0","id":1,"result":{}}])"}) {
    EXPECT_EQ(kind(text), MessageKind::Nonsense) << text;
  }
}

TEST(JsonRpc, FindsTheIdInABrokenMessage) {
  EXPECT_EQ(guess_id(R"({"jsonrpc":"2.0","id":7,"result":{"a":NaN}})"), 7);
  EXPECT_EQ(guess_id(R"({"result":{"id":1,"x":["\"id\":2"]},"id" : 12 ,)"), 12);
  EXPECT_EQ(guess_id(R"({"result":{"id":1}})"), std::nullopt);
  EXPECT_EQ(guess_id(R"({"id":"7"})"), std::nullopt);
  EXPECT_EQ(guess_id(R"({"id":7.5})"), std::nullopt);
  EXPECT_EQ(guess_id(R"({"id":99999999999999999999})"), std::nullopt);
  EXPECT_EQ(guess_id(R"({"id)"), std::nullopt);
  EXPECT_EQ(guess_id(R"({"id\)"), std::nullopt);
  EXPECT_EQ(guess_id(""), std::nullopt);
}

TEST(JsonRpc, CleansForeignText) {
  EXPECT_EQ(clean_text("a\x1b[31mb\nc\x7f"), "a [31mb c ");
  EXPECT_EQ(clean_text("\xff"), "\xEF\xBF\xBD");
  EXPECT_EQ(clean_text("가나다", 2), "가나…");
}

class MessageSorterTest : public testing::Test {
 protected:
  Result<Json> answer_to(std::int64_t id, std::string_view line) {
    EXPECT_TRUE(pending_.add(id).ok());
    EXPECT_TRUE(sorter_.take(line).ok());
    return pending_.wait(id, Clock::now(), {});
  }

  PendingRequests pending_;
  std::vector<std::string> heard_;
  std::vector<std::string> log_;
  ServerLog server_log_{[this](LogLevel, std::string_view text) { log_.emplace_back(text); }};
  OnMessage on_message_ = [this](const Json& message) { heard_.push_back(to_text(message)); };
  MessageSorter sorter_{
      {.server = "s", .pending = pending_, .log = server_log_, .on_message = on_message_}};
};

TEST_F(MessageSorterTest, GivesAnswersToWhoeverWaits) {
  EXPECT_TRUE(answer_to(1, R"({"jsonrpc":"2.0","id":1,"result":{}})").ok());
  EXPECT_TRUE(answer_to(2, R"({"jsonrpc":"2.0","id":2.0,"result":{}})").ok());
  EXPECT_EQ(answer_to(3, R"({"jsonrpc":"2.0","id":4,"result":{}})").error().code,
            ErrorCode::ToolTimeout);
  EXPECT_EQ(answer_to(3, R"({"jsonrpc":"2.0","id":"3","result":{}})").error().code,
            ErrorCode::ToolTimeout);
  EXPECT_EQ(log_.size(), 2u);
  EXPECT_TRUE(heard_.empty());
}

TEST_F(MessageSorterTest, GivesAnErrorForNoIdToTheOnlyOneThatWaits) {
  const std::string line = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}})";
  EXPECT_TRUE(answer_to(1, line).ok());
  ASSERT_TRUE(pending_.add(2).ok());
  EXPECT_EQ(answer_to(3, line).error().code, ErrorCode::ToolTimeout);
}

TEST_F(MessageSorterTest, FailsTheRequestWhoseAnswerIsBroken) {
  const Result<Json> answer = answer_to(1, R"({"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}})");
  EXPECT_EQ(answer.error().code, ErrorCode::Mcp);
  EXPECT_NE(answer.error().message.find("'s'"), std::string::npos) << answer.error().message;
}

TEST_F(MessageSorterTest, TakesALogInJsonForNoAnswer) {
  EXPECT_EQ(answer_to(1, R"({"level":"info","id":1,"message":"hello"})").error().code,
            ErrorCode::ToolTimeout);
}

TEST_F(MessageSorterTest, ReadsBatches) {
  ASSERT_TRUE(pending_.add(8).ok());
  EXPECT_TRUE(answer_to(9, R"([{"jsonrpc":"2.0","id":9,"result":{}},{"jsonrpc":"2.0","id":8,)"
                           R"("result":{}},{"jsonrpc":"2.0","method":"x"},5])")
                  .ok());
  EXPECT_TRUE(pending_.wait(8, Clock::now(), {}).ok());
  EXPECT_EQ(heard_.size(), 1u);
}

TEST_F(MessageSorterTest, PassesOnWhatIsNoAnswerAndGivesUpOnTooMuchNonsense) {
  EXPECT_TRUE(sorter_.take(R"({"jsonrpc":"2.0","method":"a"})").ok());
  EXPECT_TRUE(sorter_.take(R"({"jsonrpc":"2.0","id":0,"method":"b"})").ok());
  EXPECT_EQ(heard_.size(), 2u);
  for (std::size_t count = 0; count < kMaxNonsenseLines; ++count)
    ASSERT_TRUE(sorter_.take("hello").ok());
  EXPECT_TRUE(sorter_.take("  ").ok());
  EXPECT_EQ(sorter_.take("hello").error().code, ErrorCode::Mcp);
  EXPECT_LE(log_.size(), kLogBurst + 1);
}

}  // namespace
}  // namespace goondan::mcp
