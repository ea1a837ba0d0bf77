#include "builtin/http_fetch/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"

namespace goondan::builtin::http_fetch {
namespace {

std::string cut_text(std::string body) {
  return body_text({.body = std::move(body), .truncated = true}, Redactor());
}

std::string whole_text(std::string body) {
  return body_text({.body = std::move(body)}, Redactor());
}

// SSRF case 49. REQ: DEC-3
TEST(HttpFetchAnswer, DropsACharacterThatTheCutSplit) {
  EXPECT_EQ(cut_text("ab\xed\x95"), "ab");
  EXPECT_EQ(cut_text("ab\xed"), "ab");
  EXPECT_EQ(cut_text("ab\xf0\x9f\x98"), "ab");
  EXPECT_EQ(cut_text("\xed\x95\x9c"), "\xed\x95\x9c");
  EXPECT_EQ(cut_text("\xed"), "");
  EXPECT_EQ(cut_text(""), "");
}

TEST(HttpFetchAnswer, ReplacesStrayBytesAndStaysValid) {
  EXPECT_EQ(whole_text("a\xff"), "a\xef\xbf\xbd");
  EXPECT_EQ(whole_text("a\xed\x95"), "a\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(cut_text("a\x80\x80\x80\x80"), "a" + utf8::repaired("\x80\x80\x80\x80"));
  EXPECT_TRUE(utf8::valid(cut_text("\xff\xed\x95")));
}

// REQ: BLT-5
TEST(HttpFetchAnswer, ShowsNoHalfOfASecret) {
  Redactor redactor;
  redactor.add_secret("s3cretvalue99longer");
  EXPECT_EQ(body_text({.body = "key is s3cretva", .truncated = true}, redactor),
            "key is [redacted]");
  EXPECT_EQ(body_text({.body = "key is s3cretva"}, redactor), "key is s3cretva");
}

TEST(HttpFetchAnswer, DropsAByteOrderMark) {
  EXPECT_EQ(whole_text("\xef\xbb\xbf{}"), "{}");
  EXPECT_EQ(whole_text("{}\xef\xbb\xbf"), "{}\xef\xbb\xbf");
}

// REQ: DEC-6
TEST(HttpFetchAnswer, JoinsRepeatedHeadersUnderOneName) {
  const net::Response response{.headers = {{.name = "set-cookie", .value = "a=1"},
                                           {.name = "x-bytes", .value = "\xff"},
                                           {.name = "set-cookie", .value = "b=2"}}};
  EXPECT_EQ(header_object(response),
            (JsonObject{{"set-cookie", "a=1, b=2"}, {"x-bytes", "\xef\xbf\xbd"}}));
}

TEST(HttpFetchAnswer, KnowsTheStandardWordsForAStatus) {
  EXPECT_EQ(status_text({.status = 404}), "Not Found");
  EXPECT_EQ(status_text({.status = 404, .reason = "Gone Fishing"}), "Gone Fishing");
  EXPECT_EQ(status_text({.status = 299}), "");
}

}  // namespace
}  // namespace goondan::builtin::http_fetch
