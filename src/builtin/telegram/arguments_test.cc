#include "builtin/telegram/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::builtin::telegram {
namespace {

using ::testing::HasSubstr;

TEST(TelegramArguments, ReadsAChatIdFromTextOrANumber) {
  EXPECT_EQ(read_chat_id({{"chatId", " 42 "}}).value(), "42");
  EXPECT_EQ(read_chat_id({{"chatId", "@channel"}}).value(), "@channel");
  EXPECT_EQ(read_chat_id({{"chatId", -1001234567890}}).value(), "-1001234567890");
  EXPECT_EQ(read_chat_id({{"chatId", 42.0}}).value(), "42");
  for (const Json& wrong : {Json("  "), Json(""), Json(1.5), Json(1e300)}) {
    EXPECT_EQ(read_chat_id({{"chatId", wrong}}).error().message,
              "'chatId' must be a non-empty string or integer");
  }
}

TEST(TelegramArguments, ReadsAMessageIdFromANumberOrDigits) {
  EXPECT_EQ(needed_message_id({{"messageId", 7}}, "messageId").value(), 7);
  EXPECT_EQ(needed_message_id({{"messageId", 7.0}}, "messageId").value(), 7);
  EXPECT_EQ(needed_message_id({{"messageId", " 42 "}}, "messageId").value(), 42);
  EXPECT_EQ(read_message_id({}, "messageId").value(), std::nullopt);
  for (const Json& wrong : {Json(0), Json(-1), Json(1.5), Json("7x"), Json(""), Json("-7"),
                            Json("99999999999999999999"), Json(1e300)}) {
    EXPECT_EQ(needed_message_id({{"messageId", wrong}}, "messageId").error().message,
              "'messageId' must be a positive integer");
  }
  EXPECT_FALSE(needed_message_id({}, "messageId").ok());
}

TEST(TelegramArguments, KnowsParseModesByManyNames) {
  for (const std::string_view name :
       {"MarkdownV2", "markdownv2", "markdown-v2", "Markdown V2", " MARKDOWN_V2 "}) {
    EXPECT_EQ(read_parse_mode({{"parseMode", name}}).value(), "MarkdownV2") << name;
  }
  EXPECT_EQ(read_parse_mode({{"parseMode", "markdown"}}).value(), "Markdown");
  EXPECT_EQ(read_parse_mode({{"parseMode", "Html"}}).value(), "HTML");
  EXPECT_EQ(read_parse_mode({{"parseMode", "  "}}).value(), "");
  EXPECT_EQ(read_parse_mode({}).value(), "");
  EXPECT_EQ(read_parse_mode({{"parseMode", "md"}}).error().message,
            "Unsupported parseMode 'md'. Use one of: markdown, markdownv2, markdown-v2, html");
}

TEST(TelegramArguments, KnowsChatActionsByManyNames) {  // REQ: DEC-2
  EXPECT_EQ(read_chat_action({}).value(), "typing");
  EXPECT_EQ(read_chat_action({{"action", "upload-photo"}}).value(), "upload_photo");
  EXPECT_EQ(read_chat_action({{"status", "Upload Photo"}}).value(), "upload_photo");
  EXPECT_EQ(read_chat_action({{"action", " "}, {"status", "typing"}}).value(), "typing");
  EXPECT_EQ(read_chat_action({{"action", "find_location"}, {"status", "typing"}}).value(),
            "find_location");
  EXPECT_THAT(read_chat_action({{"action", "dancing"}}).error().message,
              HasSubstr("Unsupported action 'dancing'. Use one of: typing, upload-photo"));
}

}  // namespace
}  // namespace goondan::builtin::telegram
