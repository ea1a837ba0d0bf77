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

}  // namespace
}  // namespace goondan
