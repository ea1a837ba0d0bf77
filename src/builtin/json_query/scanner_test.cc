#include "builtin/json_query/scanner.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace goondan::builtin::json_query {
namespace {

// Passes the whole document; the error's message if it is refused.
std::string problem_of(std::string_view text) {
  const JsonString document(text);
  Scanner scanner(document);
  if (scanner.skip_value() && scanner.read_end()) return "";
  return scanner.error().message;
}

std::string at(std::string_view place, std::string_view what) {
  return "Failed to parse input as JSON at " + std::string(place) + ": " + std::string(what);
}

TEST(Scanner, PassesEveryFormOfJson) {
  for (const std::string_view text : {"null",
                                      " true ",
                                      "false",
                                      "0",
                                      "-0",
                                      "10.25e-3",
                                      "\"\"",
                                      "[]",
                                      "{}",
                                      "[ ]",
                                      "{ }",
                                      "[1,[2,{\"a\":[]}],\"b\"]",
                                      "{\"a\":{\"b\":{}},\"a\":1}",
                                      "\t\r\n [ 1 , 2 ] \n",
                                      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
                                      "\"군단 é 😀 \uFFFF \uD7FF\"",
                                      "\"\\ud83d\\ude00\"",
                                      "\"\\ud800\"",
                                      "\"\\udc00x\"",
                                      "\"\x7F\"",
                                      "1e999",
                                      "\"\\u0000\""}) {
    EXPECT_EQ(problem_of(text), "") << text;
  }
}

TEST(Scanner, SaysWhereAndWhatIsWrong) {
  const std::vector<std::array<std::string_view, 3>> cases{
      {"{bad", "line 1, column 2", "expected a key in double quotes but found 'b'"},
      {"   ", "line 1, column 4", "expected a value but the text ends"},
      {"nope", "line 1, column 1", "expected a value but found 'n'"},
      {"[1,\n 2,\n]", "line 3, column 1", "expected a value but found ']'"},
      {"[,1]", "line 1, column 2", "expected a value but found ','"},
      {"[1 2]", "line 1, column 4", "expected ',' or ']' but found '2'"},
      {"[1}", "line 1, column 3", "expected ',' or ']' but found '}'"},
      {"{\"a\":1]", "line 1, column 7", "expected ',' or '}' but found ']'"},
      {"{\"a\" 1}", "line 1, column 6", "expected ':' after the key but found '1'"},
      {"{\"a\":1,}", "line 1, column 8", "expected a key in double quotes but found '}'"},
      {"[", "line 1, column 2", "expected a value but the text ends"},
      {"[1", "line 1, column 3", "expected ',' or ']' but the text ends"},
      {"{\"a\":", "line 1, column 6", "expected a value but the text ends"},
      {"1 2", "line 1, column 3", "found '2' after the end of the value"},
      {"truex", "line 1, column 5", "found 'x' after the end of the value"},
      {"01", "line 1, column 2", "found '1' after the end of the value"},
      {"[-]", "line 1, column 3", "expected a digit but found ']'"},
      {"[1.]", "line 1, column 4", "expected a digit but found ']'"},
      {"1e+", "line 1, column 4", "expected a digit but the text ends"},
      {"'a'", "line 1, column 1", "expected a value but found '''"},
      {"[\"군단\", x]", "line 1, column 8", "expected a value but found 'x'"},
      {"[군]", "line 1, column 2", "expected a value but found '군'"},
      {"\"abc", "line 1, column 5", "the text ends inside a string"},
      {"\"a\nb\"", "line 1, column 3",
       "found U+000A inside a string; write it as an escape such as \\n or \\u0000"},
      {"\"\\x\"", "line 1, column 2", "unknown escape in a string"},
      {"\"\\", "line 1, column 2", "unknown escape in a string"},
      {"\"\\u12g4\"", "line 1, column 2", "\\u needs four hexadecimal digits"},
      {"\"\\u12", "line 1, column 2", "\\u needs four hexadecimal digits"},
      {"\"\xFF\"", "line 1, column 2", "found the byte 0xFF, which is not valid UTF-8"},
      {"\"\xED\xA0\x80\"", "line 1, column 2", "found the byte 0xED, which is not valid UTF-8"},
      {"\"\xC0\x80\"", "line 1, column 2", "found the byte 0xC0, which is not valid UTF-8"},
      {"\"\xE2\x82", "line 1, column 2", "found the byte 0xE2, which is not valid UTF-8"},
      {"\xEF\xBB\xBF[]", "line 1, column 1", "expected a value but found '\uFEFF'"}};
  for (const auto& [text, place, what] : cases) {
    EXPECT_EQ(problem_of(text), at(place, what)) << text;
    // The same in the middle of what is skipped.
    EXPECT_NE(problem_of("[[0],{\"k\":" + std::string(text) + "}]"), "") << text;
  }
}

TEST(Scanner, RefusesANulByteEverywhere) {
  using namespace std::string_view_literals;
  EXPECT_EQ(problem_of("[1,\0]"sv), at("line 1, column 4", "expected a value but found U+0000"));
  EXPECT_EQ(problem_of("[]\0"sv),
            at("line 1, column 3", "found U+0000 after the end of the value"));
  EXPECT_NE(problem_of("\"a\0b\""sv), "");
  EXPECT_NE(problem_of("\"\\\0\""sv), "");
}

// A prefix of a document is none, whatever byte it ends at.
TEST(Scanner, RefusesEveryPrefix) {
  const std::string text = "[{\"군\\u00e9\\n\":[true,false,null]},-1.5e+3,\"" +
                           std::string(40, 'x') + "\\ud83d\\ude00é\"]";
  EXPECT_EQ(problem_of(text), "");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string message = problem_of(text.substr(0, length));
    EXPECT_NE(message, "") << length;
    EXPECT_TRUE(utf8::valid(message)) << length;
  }
}

// Changing a single byte of a string to something wrong is noticed at every place in a block.
TEST(Scanner, SeesAWrongByteAtEveryPlace) {
  for (std::size_t length = 1; length < 70; ++length) {
    for (std::size_t place = 0; place < length; ++place) {
      std::string text = "\"" + std::string(length, 'x') + "\"";
      text[place + 1] = '\n';
      ASSERT_NE(problem_of(text), "") << length << ' ' << place;
      text[place + 1] = '\x80';
      ASSERT_NE(problem_of(text), "") << length << ' ' << place;
    }
  }
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(Scanner, BoundsTheDepth) {
  EXPECT_EQ(problem_of(nested(kMaxDepth)), "");
  for (const std::string& text :
       {nested(kMaxDepth + 1), nested(100'000), std::string(1'000'000, '[')})
    EXPECT_EQ(problem_of(text), at("line 1, column 1001", "it is nested deeper than 1000 levels"));
  std::string objects;
  for (std::size_t i = 0; i < 100'000; ++i)
    objects += "{\"a\":";
  EXPECT_NE(problem_of(objects).find("deeper than 1000"), std::string::npos);
}

TEST(Scanner, CountsTheDepthOfWhatItReadsAndSkipsTogether) {
  const JsonString document(nested(kMaxDepth + 1));
  Scanner scanner(document);
  EXPECT_FALSE(scanner.read_array([&scanner] { return scanner.skip_value(); }));
  EXPECT_EQ(scanner.error().code, ErrorCode::Limit);
}

TEST(Scanner, GivesKeysAndScalarsAsTheyStand) {
  const JsonString document(R"( { "a" : 1.50 , "b\n" :"x\"y", "" : null } )");
  Scanner scanner(document);
  std::vector<std::string> seen;
  ASSERT_EQ(scanner.next_kind(), Kind::Object);
  EXPECT_TRUE(scanner.read_object([&](std::string_view key) {
    seen.emplace_back(key);
    seen.emplace_back(scanner.read_scalar().value());
    return true;
  }));
  EXPECT_TRUE(scanner.read_end());
  EXPECT_EQ(seen, (std::vector<std::string>{"a", "1.50", "b\\n", "\"x\\\"y\"", "", "null"}));
}

TEST(Scanner, ReadsAgainFromAPlaceItPassed) {
  const JsonString document("[[1],[2]]");
  Scanner scanner(document);
  std::size_t second = 0;
  EXPECT_TRUE(scanner.read_array([&] {
    second = scanner.position();
    return scanner.skip_value();
  }));
  scanner.seek(second);
  EXPECT_EQ(scanner.next_kind(), Kind::Array);
  EXPECT_TRUE(scanner.read_array([&] { return scanner.read_scalar() == "2"; }));
}

}  // namespace
}  // namespace goondan::builtin::json_query
