#include "builtin/lenient_json.h"

#include "builtin/messaging/test_api.h"

namespace goondan::builtin {
namespace {

constexpr std::size_t kMaxBytes = 4096;

Result<Json> read(std::string_view text) {
  messaging::RecordingHost host;
  const CallScope scope;
  const ToolContext context({.scope = scope,
                             .tool_call_id = "call_1",
                             .deadline = Deadline::max(),
                             .stop = {},
                             .host = host});
  return read_lenient_json(text, context, kMaxBytes);
}

std::string text_of(std::string_view text) {
  return to_text(read(text).value());
}

TEST(LenientJson, ReadsOddCharactersAsTheReplacementCharacter) {
  EXPECT_EQ(text_of(R"({"a":"\ud83d cut"})"), "{\"a\":\"\xef\xbf\xbd cut\"}");
  EXPECT_EQ(text_of(R"(["\udc00\ud83d\ude00"])"), "[\"\xef\xbf\xbd\xf0\x9f\x98\x80\"]");
  EXPECT_EQ(text_of("{\"a\xff\":\"\xc3(\"}"), "{\"a\xef\xbf\xbd\":\"\xef\xbf\xbd(\"}");
}

TEST(LenientJson, TakesTheLastOfEqualKeysAndPassesAByteOrderMark) {
  EXPECT_EQ(text_of(R"({"a":1,"b":2,"a":[3]})"), R"({"a":[3],"b":2})");
  EXPECT_EQ(text_of("\xef\xbb\xbf {\"ok\":true}\n"), R"({"ok":true})");
}

TEST(LenientJson, KeepsNumbersThatNoDoubleHolds) {
  EXPECT_EQ(text_of("[12345678901234567890123,0.1,7]"), "[12345678901234567890123,0.1,7]");
}

TEST(LenientJson, RefusesWhatIsNoJson) {
  for (const std::string_view text : {"", "<html>", "{", "{}x", "{\"a\":tru}", "\xff{}"}) {
    EXPECT_EQ(read(text).error().code, ErrorCode::JsonParse) << text;
  }
}

TEST(LenientJson, IsBoundedInSizeAndDepth) {
  EXPECT_EQ(read(std::string(kMaxBytes + 1, ' ')).error().code, ErrorCode::Limit);
  EXPECT_TRUE(read(std::string(64, '[') + std::string(64, ']')).ok());
  EXPECT_EQ(read(std::string(65, '[') + std::string(65, ']')).error().code, ErrorCode::Limit);
}

}  // namespace
}  // namespace goondan::builtin
