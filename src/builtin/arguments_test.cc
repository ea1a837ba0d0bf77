#include "builtin/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builtin/messaging/test_api.h"

namespace goondan::builtin {
namespace {

// REQ: DEC-2
TEST(Arguments, TakeTheCanonicalNameBeforeAnAlias) {
  const JsonObject both{{"ts", "2"}, {"messageTs", "1"}};
  EXPECT_EQ(text_argument(both, {"messageTs", "ts"}), "1");
  EXPECT_EQ(text_argument(JsonObject{{"ts", "2"}}, {"messageTs", "ts"}), "2");
  EXPECT_EQ(text_argument(JsonObject{{"messageTs", ""}, {"ts", "2"}}, {"messageTs", "ts"}), "2");
  EXPECT_EQ(text_argument(JsonObject{}, {"messageTs", "ts"}), std::nullopt);
}

TEST(Arguments, ReadNumbersOfEveryKind) {
  const JsonObject input{{"a", 1}, {"b", 1.5}, {"c", std::uint64_t{3}}, {"d", "4"}};
  EXPECT_EQ(number_argument(input, "a"), 1);
  EXPECT_EQ(number_argument(input, "b"), 1.5);
  EXPECT_EQ(number_argument(input, "c"), 3);
  EXPECT_EQ(number_argument(input, "d"), std::nullopt);
}

CallLimit limit_of(std::chrono::milliseconds call, std::chrono::milliseconds timeout,
                   Ending ending) {
  messaging::RecordingHost host;
  const CallScope scope;
  const ToolContext context({.scope = scope,
                             .tool_call_id = "call_1",
                             .deadline = Clock::now() + call,
                             .stop = {},
                             .host = host});
  CallLimit limit = limit_within(context, timeout, ending);
  if (limit.by == LimitedBy::Operator)  // as the time before the call's own end
    limit.deadline = Deadline(context.deadline() - limit.deadline);
  return limit;
}

TEST(Arguments, LeaveTimeToAnswerBeforeTheCallsOwnDeadline) {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  EXPECT_EQ(limit_of(seconds(60), seconds(30), Ending::Slow).by, LimitedBy::Argument);
  for (const Ending ending : {Ending::Quick, Ending::Slow}) {
    const CallLimit longer = limit_of(seconds(20), seconds(30), ending);
    EXPECT_EQ(longer.by, LimitedBy::Operator);
    EXPECT_EQ(longer.deadline, Deadline(seconds(1)));
  }
  // Of a short call a share, less what the time has moved on.
  EXPECT_LE(limit_of(milliseconds(1000), seconds(30), Ending::Quick).deadline,
            Deadline(milliseconds(200)));
  EXPECT_LE(limit_of(milliseconds(600), seconds(30), Ending::Slow).deadline,
            Deadline(milliseconds(300)));
}

TEST(Arguments, TellHowToGetMoreTime) {
  EXPECT_THAT(more_time(LimitedBy::Argument), testing::HasSubstr("raise 'timeoutMs'"));
  EXPECT_THAT(more_time(LimitedBy::Operator), testing::HasSubstr("--timeout-ms"));
}

}  // namespace
}  // namespace goondan::builtin
