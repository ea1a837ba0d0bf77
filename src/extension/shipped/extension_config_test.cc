#include "extension/shipped/extension_config.h"

#include "extension/extension_fixture.h"
#include "extension/shipped/extension_message.h"
#include "extension/shipped/name_patterns.h"

namespace goondan {
namespace {

using shipped::matches_pattern;
using shipped::one_line;

class ShippedConfig : public test::Extensions {
 protected:
  Error refused(std::string_view name, std::string_view config) {
    const Result<void> added = try_add(name, config);
    return added.ok() ? Error{.message = "it was accepted"} : added.error();
  }
};

TEST_F(ShippedConfig, NamesTheKeyThatWasMeant) {  // REQ: MW-5
  const Error error = refused("message-window", R"({"maxMesages": 3})");
  EXPECT_EQ(error.code, ErrorCode::ExtensionInit);
  EXPECT_EQ(error.message, "config.maxMesages is not known to extension 'message-window'");
  EXPECT_EQ(error.suggestion, "Did you mean 'maxMessages'? Its keys: maxMessages.");
  EXPECT_TRUE(layers.turn.empty());
}

TEST_F(ShippedConfig, SaysWhatAValueMustBe) {
  EXPECT_EQ(refused("message-window", R"({"maxMessages": "80"})").message,
            "config.maxMessages of extension 'message-window' must be a whole number from 1 to "
            "1048576, not \"80\"");
  EXPECT_EQ(refused("message-window", R"({"maxMessages": 0})").code, ErrorCode::ExtensionInit);
  EXPECT_EQ(refused("message-window", R"({"maxMessages": 1.5})").code, ErrorCode::ExtensionInit);
  EXPECT_EQ(refused("logging", R"({"level": "loud"})").message,
            "config.level of extension 'logging' must be one of debug, info, warn, error, not "
            "\"loud\"");
  EXPECT_EQ(refused("logging", R"({"includeToolArgs": 1})").code, ErrorCode::ExtensionInit);
}

TEST_F(ShippedConfig, TakesNullAndWholeRealNumbers) {
  EXPECT_TRUE(try_add("message-window", R"({"maxMessages": null})").ok());
  EXPECT_TRUE(try_add("message-window", R"({"maxMessages": 3.0})").ok());
}

TEST(NamePatterns, LetAStarStandForAnything) {
  EXPECT_TRUE(matches_pattern("bash__exec", "bash__exec"));
  EXPECT_FALSE(matches_pattern("bash__exec", "bash__exec2"));
  EXPECT_TRUE(matches_pattern("mail__*", "mail__send"));
  EXPECT_TRUE(matches_pattern("*__delete", "mail__delete"));
  EXPECT_TRUE(matches_pattern("a*b*c", "aXbXbXc"));
  EXPECT_FALSE(matches_pattern("a*b*c", "aXbXbX"));
  EXPECT_TRUE(matches_pattern("**", ""));
  EXPECT_FALSE(matches_pattern("", "a"));
}

TEST(OneLine, CutsByCodePointAndJoinsLines) {
  EXPECT_EQ(one_line(" a\n\n b\t\x01 c ", 20), "a b c");
  EXPECT_EQ(one_line("가나다라마", 4), "가나다…");
  EXPECT_EQ(one_line("가나다라", 4), "가나다라");
  EXPECT_EQ(one_line("가나다라 \n", 4), "가나다라");
  EXPECT_EQ(one_line("abc", 0), "");
}

}  // namespace
}  // namespace goondan
