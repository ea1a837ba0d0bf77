#include "builtin/slack/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::builtin::slack {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SlackArguments, PreferTheCanonicalName) {  // REQ: DEC-2
  EXPECT_EQ(read_channel({{"channelId", " C1 "}, {"channel", "C2"}}).value(), "C1");
  EXPECT_EQ(read_channel({{"channelId", ""}, {"channel", "C2"}}).value(), "C2");
  EXPECT_EQ(read_message_ts({{"timestamp", "3.3"}, {"ts", "2.2"}}).value(), "2.2");
  EXPECT_EQ(read_message_ts({}).error().message, "'messageTs' must be a non-empty string");
}

TEST(SlackArguments, TakeEmojiNamesWithAndWithoutColons) {
  EXPECT_THAT(
      read_reactions({{"emoji", ":wave:"}, {"emojis", {"wave", " :x:", "::", ":a::skin-tone-2:"}}})
          .value(),
      ElementsAre("wave", "x", "::", "a::skin-tone-2"));
  EXPECT_THAT(read_reactions({{"emojis", {"ok", "thumbs up"}}}).error().message,
              HasSubstr("'thumbs up'"));
  EXPECT_EQ(read_reactions({}).error().message,
            "Provide 'emoji' or 'emojis' to add Slack reaction.");
}

}  // namespace
}  // namespace goondan::builtin::slack
