#include "builtin/messaging/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::builtin::messaging {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MessagingFields, TakesTheFirstAliasThatIsNotBlank) {  // REQ: DEC-2
  const JsonObject input{{"messageTs", "  "}, {"ts", " 1.5\n"}, {"timestamp", "2.5"}};
  EXPECT_EQ(trimmed_argument(input, {"messageTs", "ts", "timestamp"}), "1.5");
  EXPECT_EQ(trimmed_argument(input, {"timestamp", "ts"}), "2.5");
  EXPECT_EQ(trimmed_argument(input, {"messageTs"}), std::nullopt);
}

TEST(MessagingFields, NamesTheFirstAliasWhenNoneIsGiven) {
  const Result<std::string> missing = needed_argument({}, {"channelId", "channel"});
  EXPECT_EQ(missing.error().message, "'channelId' must be a non-empty string");
  EXPECT_EQ(missing.error().code, ErrorCode::ToolInvalidArgs);
}

TEST(MessagingFields, CutsNumbersToIntegersInARange) {
  const NumberRange range{.least = 1, .most = 1000};
  EXPECT_EQ(read_number({}, "limit", range, 20).value(), 20);
  EXPECT_EQ(read_number({{"limit", 1.9}}, "limit", range, 20).value(), 1);
  EXPECT_EQ(read_number({{"limit", 1000}}, "limit", range, 20).value(), 1000);
  for (const Json& wrong : {Json(0), Json(0.9), Json(-1), Json(1001), Json(1e300)}) {
    EXPECT_EQ(read_number({{"limit", wrong}}, "limit", range, 20).error().message,
              "'limit' must be between 1 and 1000");
  }
}

TEST(MessagingFields, CollectsEmojisInOrderEachOnce) {
  EXPECT_THAT(read_emojis({{"emoji", " a "}, {"emojis", {"b", "a", "  ", "c"}}}),
              ElementsAre("a", "b", "c"));
  EXPECT_THAT(read_emojis({}), IsEmpty());
}

TEST(MessagingFields, ComparesNamesOfModesLoosely) {
  EXPECT_EQ(normalised_name("  Upload _ Photo "), "upload-photo");
  EXPECT_EQ(normalised_name("MARKDOWN_V2"), "markdown-v2");
  EXPECT_EQ(normalised_name(" \t"), "");
}

}  // namespace
}  // namespace goondan::builtin::messaging
