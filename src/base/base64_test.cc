#include "base/base64.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

TEST(Base64, EncodesTheExamplesOfRfc4648) {
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("f"), "Zg==");
  EXPECT_EQ(base64_encode("fo"), "Zm8=");
  EXPECT_EQ(base64_encode("foo"), "Zm9v");
  EXPECT_EQ(base64_encode("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_encode("foobar"), "Zm9vYmFy");
}

TEST(Base64, HasTwoAlphabets) {
  EXPECT_EQ(base64_encode("\xFB\xEF\xFF"), "++//");
  EXPECT_EQ(base64_encode("\xFB\xEF\xFF", Base64Alphabet::Url), "--__");
}

TEST(Base64, DecodesBothAlphabetsWithAndWithoutPadding) {
  for (const std::string_view text : {"Zm9vYg==", "Zm9vYg", "Zm9v\r\nYg==\n"})
    EXPECT_EQ(base64_decode(text), "foob") << text;
  EXPECT_EQ(base64_decode("++//"), "\xFB\xEF\xFF");
  EXPECT_EQ(base64_decode("--__"), "\xFB\xEF\xFF");
  EXPECT_EQ(base64_decode(""), "");
  EXPECT_EQ(base64_decode("Zm8"), "fo");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const std::string_view text : {"Z", "Zm9vY", "Zm9 v", "Zg==Zg==", "\xF0\x9F\x98\x80"})
    EXPECT_FALSE(base64_decode(text)) << text;
}

}  // namespace
}  // namespace goondan
