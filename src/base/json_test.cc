#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <goondan/json.h>

namespace goondan {
namespace {

std::string round_trip(std::string_view text) {
  return to_text(parse_json(text).value());
}

TEST(Json, KeepsKeyOrderAndWritesReadableNumbers) {
  EXPECT_EQ(round_trip(R"({"z":1,"a":[1.5,-0.25,1e21,true,null]})"),
            R"({"z":1,"a":[1.5,-0.25,1e+21,true,null]})");
  EXPECT_EQ(round_trip("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(round_trip("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(round_trip("0.1"), "0.1");
  EXPECT_EQ(to_text(Json(std::numeric_limits<double>::quiet_NaN())), "null");
}

TEST(Json, EscapesWhatMustBeAndRepairsStrayBytes) {  // REQ: DEC-3
  EXPECT_EQ(to_text(Json("a\"\\\n\x01 군단")), "\"a\\\"\\\\\\n\\u0001 군단\"");
  EXPECT_EQ(to_text(Json("\xFFx")), "\"\uFFFDx\"");
  EXPECT_EQ(to_text(Json("\u009B31m \u00A0")), "\"\\u009b31m \u00A0\"");
}

TEST(Json, PrettyPrintsForPeople) {
  EXPECT_EQ(to_pretty_text(parse_json(R"({"a":[1],"b":{},"c":[]})").value()),
            "{\n  \"a\": [\n    1\n  ],\n  \"b\": {},\n  \"c\": []\n}");
}

TEST(Json, WritesANumberThatNoTypeHoldsByItsText) {
  const Json wide = exact_number("-12345678901234567890123.50E+7");
  EXPECT_EQ(to_text(wide), "-12345678901234567890123.50E+7");
  EXPECT_EQ(to_text(Json(JsonArray{wide, 1})), "[-12345678901234567890123.50E+7,1]");
  EXPECT_EQ(to_pretty_text(Json(JsonObject{{"a", wide}})),
            "{\n  \"a\": -12345678901234567890123.50E+7\n}");
  for (const char* text : {"0", "-0", "0.0", "1e9", "1E-9", "10.25e+00"})
    EXPECT_EQ(to_text(exact_number(text)), text);
}

TEST(Json, WritesNothingBareThatIsNoNumber) {
  const std::vector<std::string_view> wrong{"",    "-",   "1,2", "01",        "1.",  ".5",
                                            "1e",  "1e+", "+1",  " 1",        "1 ",  "1\n",
                                            "NaN", "0x1", "1]",  "1,\"a\":2", "\xFF"};
  for (const std::string_view text : wrong) {
    EXPECT_TRUE(exact_number(text).is_null()) << text;
    JsonObject forged;
    forged[std::string_view("\0number", 7)] = text;
    const std::string written = to_text(forged);
    EXPECT_TRUE(written.starts_with("{\"\\u0000number\":\"")) << written;
    EXPECT_EQ(to_pretty_text(forged).front(), '{');
  }
}

TEST(Json, ReadsAForgedExactNumberAsAnOrdinaryObject) {
  EXPECT_EQ(round_trip(R"({"\u0000number":"1,2"})"), R"({"\u0000number":"1,2"})");
  EXPECT_EQ(round_trip(R"({"\u0000number":1})"), R"({"\u0000number":1})");
  EXPECT_EQ(round_trip(R"({"\u0000number":"1","a":2})"), R"({"\u0000number":"1","a":2})");
  EXPECT_EQ(round_trip(R"({"\u0000other":"1"})"), R"({"\u0000other":"1"})");
  EXPECT_EQ(round_trip(R"({"\u0000":"1"})"), R"({"\u0000":"1"})");
}

TEST(Json, RefusesDuplicateKeysAtAnyDepth) {
  const auto result = parse_json("{\"a\": {\"x\": 1,\n \"y\": 2, \"x\": 3}}");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::JsonParse);
  EXPECT_NE(result.error().message.find("duplicate key \"x\""), std::string::npos);
  EXPECT_NE(result.error().message.find("line 2"), std::string::npos);
  EXPECT_TRUE(parse_json(R"([{"a":1},{"a":1}])").ok());
}

TEST(Json, RefusesWhatIsNotExactlyOneValue) {
  for (const char* text : {"", "{", "{} {}", "[1,]", "nul", "'a'", "\"\xFF\"", "01", "{\"a\" 1}"}) {
    const auto result = parse_json(text);
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_NE(result.error().message.find("line 1"), std::string::npos) << text;
  }
}

TEST(Json, RefusesDeepAndLargeText) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const auto too_deep = parse_json(deep);
  ASSERT_FALSE(too_deep.ok());
  EXPECT_NE(too_deep.error().message.find("deeper than 64"), std::string::npos);
  const auto too_large = parse_json("[1,2,3]", {.max_bytes = 5});
  ASSERT_FALSE(too_large.ok());
  EXPECT_EQ(too_large.error().code, ErrorCode::Limit);
}

TEST(Json, SurvivesAnObjectWithManyKeys) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i)
    text += "\"k" + std::to_string(i) + "\":0,";
  text.back() = '}';
  EXPECT_EQ(parse_json(text).value().as_object().size(), 100'000u);
}

TEST(Json, ReadsEveryNumberToItsLastDigit) {
  std::mt19937_64 random(20261115);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    const std::string_view written(text.data(), end.ptr);
    EXPECT_EQ(parse_json(written).value().to_number<double>(), number) << written;
  }
  EXPECT_EQ(parse_json("[123456789012345680000]").value().at(0).as_double(),
            123456789012345680000.0);
  EXPECT_EQ(parse_json("0.1000000000000000055511151231257827").value().as_double(), 0.1);
}

TEST(Json, WritesNumbersAsPeopleDo) {
  EXPECT_EQ(
      to_text(JsonArray{1e5, 1e9, 123456789012345680000.0, 1e21, 1e-6, 1e-7, 0.1, -0.0, 1e300}),
      "[100000,1000000000,123456789012345680000,1e+21,0.000001,1e-7,0.1,-0,1e+300]");
}

}  // namespace
}  // namespace goondan
