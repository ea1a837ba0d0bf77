#include "resource/scalar.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace goondan::yaml {
namespace {

Json plain(std::string_view text) {
  return scalar_value(plain_scalar_type(text), text);
}

TEST(PlainScalar, IsNullInFiveSpellings) {
  for (const std::string_view text : {"", "~", "null", "Null", "NULL"}) {
    EXPECT_TRUE(plain(text).is_null()) << text;
  }
}

TEST(PlainScalar, IsAFlagOnlyAsTrueOrFalse) {
  EXPECT_EQ(plain("true"), Json(true));
  EXPECT_EQ(plain("False"), Json(false));
  for (const std::string_view text : {"yes", "no", "on", "off", "y", "n", "tRUE", "nULL"}) {
    EXPECT_EQ(plain(text), Json(text)) << text;
  }
}

TEST(PlainScalar, IsAnIntegerInDecimalOctalAndHexadecimal) {
  const std::vector<std::pair<std::string_view, std::int64_t>> cases{
      {"0", 0},
      {"-12", -12},
      {"+12", 12},
      {"007", 7},
      {"0o17", 15},
      {"0x1F", 31},
      {"0xff", 255},
      {"-0", 0},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775808", INT64_MIN}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(plain(text), Json(value)) << text;
  }
}

TEST(PlainScalar, KeepsIntegersBeyondSixtyFourBitsAsFloatingPoint) {
  EXPECT_EQ(plain("18446744073709551615"), Json(UINT64_MAX));
  EXPECT_EQ(plain("18446744073709551616"), Json(18446744073709551616.0));
  EXPECT_EQ(plain("0x10000000000000000"), Json(18446744073709551616.0));
  EXPECT_EQ(plain("-99999999999999999999"), Json(-99999999999999999999.0));
}

TEST(PlainScalar, IsAFloatWithAPointOrAnExponent) {
  const std::vector<std::pair<std::string_view, double>> cases{
      {"1.5", 1.5},  {"-0.25", -0.25}, {".5", 0.5},     {"1.", 1.0},
      {"1e3", 1000}, {"1E-2", 0.01},   {"+1.5e+1", 15}, {"1e-999", 0.0}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(plain(text), Json(value)) << text;
  }
}

TEST(PlainScalar, IsTextInEveryOtherForm) {
  for (const std::string_view text :
       {".", "-", "+", "1_000", "0o8", "0xg", "0x", "0o", "-0x1", "1e", "1.2.3", "e3", "0b1",
        "12:30", "2001-01-01", "--1", "1 2"}) {
    EXPECT_EQ(plain(text), Json(text)) << text;
  }
}

TEST(PlainScalar, KnowsWhichNumbersJsonCannotSay) {
  for (const std::string_view text : {".inf", "-.INF", "+.Inf", ".nan", ".NaN", "1e999"}) {
    EXPECT_TRUE(beyond_json(plain_scalar_type(text), text)) << text;
  }
  EXPECT_TRUE(beyond_json(ScalarType::Int, std::string(400, '9')));
  EXPECT_TRUE(beyond_json(ScalarType::Int, "0x" + std::string(400, 'f')));
  EXPECT_FALSE(beyond_json(ScalarType::String, ".inf"));
  EXPECT_FALSE(beyond_json(ScalarType::Float, "1e308"));
  EXPECT_EQ(plain_scalar_type(".infinity"), ScalarType::String);
}

}  // namespace
}  // namespace goondan::yaml
