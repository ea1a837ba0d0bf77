#include "schema/number.h"

#include <limits>

#include <gtest/gtest.h>

namespace goondan::schema {
namespace {

Number number(std::string_view text) {
  return number_of(parse_json(text).value());
}

bool multiple(std::string_view value, std::string_view divisor) {
  return Divisor(parse_json(divisor).value()).divides(number(value));
}

TEST(Number, ComparesExactlyAcrossForms) {
  const char* const ascending[] = {"-1e300",
                                   "-9223372036854775808",
                                   "-9007199254740993",
                                   "-9007199254740992.0",
                                   "-0.5",
                                   "0",
                                   "0.1",
                                   "1",
                                   "9007199254740992.0",
                                   "9007199254740993",
                                   "9223372036854775807",
                                   "9223372036854775808",
                                   "18446744073709551615",
                                   "18446744073709551616",
                                   "1e300"};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      const int order = compare(number(ascending[i]), number(ascending[j]));
      EXPECT_EQ(order < 0, i < j) << ascending[i] << " " << ascending[j];
      EXPECT_EQ(order == 0, i == j) << ascending[i] << " " << ascending[j];
    }
  }
}

TEST(Number, TakesOneAndOnePointZeroForTheSame) {
  EXPECT_EQ(compare(number("1"), number("1.0")), 0);
  EXPECT_EQ(compare(number("-0.0"), number("0")), 0);
  EXPECT_EQ(compare(number_of(Json(std::uint64_t{7})), number("7")), 0);
  EXPECT_EQ(compare(number("9223372036854775808"), number("9223372036854775808.0")), 0);
}

TEST(Number, OrdersNotANumberBeforeEverything) {
  const Number nan = number_of(Json(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_LT(compare(nan, number("-1e308")), 0);
  EXPECT_GT(compare(number("0"), nan), 0);
  EXPECT_EQ(compare(nan, nan), 0);
}

TEST(Number, KnowsWhatHasNoFraction) {
  EXPECT_TRUE(is_integral(1.0));
  EXPECT_TRUE(is_integral(1e300));
  EXPECT_FALSE(is_integral(1.5));
  EXPECT_FALSE(is_integral(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(is_integral(std::numeric_limits<double>::quiet_NaN()));
}

TEST(Number, DividesDecimalsAsTheyAreWritten) {
  EXPECT_TRUE(multiple("19.99", "0.01"));
  EXPECT_TRUE(multiple("0.0075", "0.0001"));
  EXPECT_FALSE(multiple("0.00751", "0.0001"));
  EXPECT_TRUE(multiple("1.1", "0.1"));
  EXPECT_TRUE(multiple("4.35", "0.05"));
  EXPECT_TRUE(multiple("-4.5", "1.5"));
  EXPECT_TRUE(multiple("0", "0.3"));
  EXPECT_FALSE(multiple("35", "1.5"));
}

TEST(Number, DividesTheVeryLargeAndTheVerySmall) {
  EXPECT_TRUE(multiple("1e308", "0.5"));
  EXPECT_FALSE(multiple("1e308", "0.123456789"));
  EXPECT_TRUE(multiple("12391239123", "1e-8"));
  EXPECT_TRUE(multiple("1e308", "5e-324"));
  EXPECT_FALSE(multiple("5e-324", "1"));
  EXPECT_TRUE(multiple("18446744073709551615", "5"));
  EXPECT_FALSE(multiple("18446744073709551615", "2"));
  EXPECT_TRUE(multiple("-9223372036854775808", "2"));
  EXPECT_TRUE(multiple("18446744073709551615", "18446744073709551615"));
  EXPECT_FALSE(multiple("7", "18446744073709551615"));
}

}  // namespace
}  // namespace goondan::schema
