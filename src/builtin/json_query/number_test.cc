#include "builtin/json_query/number.h"

#include <gtest/gtest.h>

namespace goondan::builtin::json_query {
namespace {

TEST(NumberValue, IsAnIntegerWhereSixtyFourBitsSuffice) {
  EXPECT_EQ(number_value("9007199254740993"), Json(std::int64_t{9007199254740993}));
  EXPECT_EQ(to_text(number_value("-9223372036854775808")), "-9223372036854775808");
  EXPECT_EQ(to_text(number_value("18446744073709551615")), "18446744073709551615");
  EXPECT_TRUE(number_value("18446744073709551615").is_uint64());
}

TEST(NumberValue, IsADoubleWhereThatSaysTheSame) {
  for (const auto& [text, written] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"1.0", "1"},
           {"1e2", "100"},
           {"1E+2", "100"},
           {"0.1", "0.1"},
           {"-0.25e1", "-2.5"},
           {"100000000000000000000", "100000000000000000000"},
           {"0.10000000000000000", "0.1"},
           {"126.97800000000001", "126.97800000000001"},
           {"5e-324", "5e-324"},
           {"1.7976931348623157e308", "1.7976931348623157e+308"},
           {"0e999", "0"},
           {"0.000e-99999", "0"},
           {"-0", "-0"},
           {"-0.0", "-0"}}) {
    EXPECT_TRUE(number_value(text).is_double()) << text;
    EXPECT_EQ(to_text(number_value(text)), written) << text;
  }
}

TEST(NumberValue, KeepsTheTextOfWhatNoTypeHolds) {
  for (const std::string_view text :
       {"18446744073709551616", "-9223372036854775809", "12345678901234567890123",
        "3.141592653589793238462643", "1e999", "-1e999", "1e-999", "4.9e-324", "0.1e99999999999",
        "1e99999999999999999999999", "1.00000000000000001"}) {
    EXPECT_EQ(to_text(number_value(text)), text);
  }
  const std::string digits(100'000, '7');
  EXPECT_EQ(to_text(number_value(digits)), digits);
}

}  // namespace
}  // namespace goondan::builtin::json_query
