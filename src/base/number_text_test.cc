#include "base/number_text.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

std::string text_of(const Json& number) {
  std::string text;
  append_number_text(text, number);
  return text;
}

TEST(NumberText, IsThatOfJavaScript) {
  EXPECT_EQ(text_of(-0.0), "0");
  EXPECT_EQ(text_of(100.0), "100");
  EXPECT_EQ(text_of(-1.5), "-1.5");
  EXPECT_EQ(text_of(1e21), "1e+21");
  EXPECT_EQ(text_of(1e20), "100000000000000000000");
  EXPECT_EQ(text_of(1e-7), "1e-7");
  EXPECT_EQ(text_of(0.000001), "0.000001");
}

TEST(NumberText, WritesIntegersInFull) {
  EXPECT_EQ(text_of(0), "0");
  EXPECT_EQ(text_of(std::uint64_t{18446744073709551615U}), "18446744073709551615");
}

}  // namespace
}  // namespace goondan
