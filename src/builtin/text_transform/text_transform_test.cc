#include <gtest/gtest.h>

#include <goondan/goondan.h>

#include "builtin/text_transform/handlers.h"

namespace goondan::builtin::text_transform {
namespace {

class TextTransform : public testing::Test {
 protected:
  TextTransform() { EXPECT_TRUE(add_builtin_tools(registry_, {.only = {"text-transform"}}).ok()); }

  ToolCallResult call(const std::string& name, JsonObject input) {
    const ToolExecutor executor(registry_);
    return executor.run(
        ToolCatalog(registry_),
        {.id = "1", .name = "text-transform__" + name, .input = Json(std::move(input))});
  }

  // The result as text, so that the order of its keys is seen too.
  std::string output(const std::string& name, JsonObject input) {
    const ToolCallResult result = call(name, std::move(input));
    return result.ok() ? to_text(*result.output) : result.error->message;
  }

  std::string value(const std::string& name, JsonObject input, std::string_view key = "result") {
    const ToolCallResult result = call(name, std::move(input));
    return result.ok() ? to_text(result.output->at(key)) : result.error->message;
  }

  Error error(const std::string& name, JsonObject input) {
    return call(name, std::move(input)).error.value_or(Error{});
  }

 private:
  ToolRegistry registry_;
};

// REQ: BLT-text
TEST_F(TextTransform, AnswersWithTheKeysOfTheSpecificationInItsOrder) {
  EXPECT_EQ(output("replace",
                   {{"text", "hello world hello"}, {"search", "hello"}, {"replacement", "hi"}}),
            R"({"original":"hello world hello","result":"hi world hello","replacements":1})");
  EXPECT_EQ(output("slice", {{"text", "hello world"}, {"start", 0}, {"end", 5}}),
            R"({"original":"hello world","result":"hello","start":0,"end":5,"length":5})");
  EXPECT_EQ(output("split", {{"text", "line1\nline2\nline3"}}),
            R"({"delimiter":"\n","count":3,"parts":["line1","line2","line3"]})");
  EXPECT_EQ(output("join", {{"parts", JsonArray{"a", "b", "c"}}, {"delimiter", ", "}}),
            R"({"delimiter":", ","count":3,"result":"a, b, c"})");
  EXPECT_EQ(output("trim", {{"text", "  hello  "}}),
            R"({"original":"  hello  ","result":"hello","mode":"both","trimmedLength":4})");
  EXPECT_EQ(output("case", {{"text", "Hello World"}, {"to", "upper"}}),
            R"({"original":"Hello World","result":"HELLO WORLD","to":"upper"})");
}

TEST_F(TextTransform, RefusesAnEmptyTextByName) {
  const std::string message = "'text' must be a non-empty string";
  EXPECT_EQ(error("replace", {{"text", ""}, {"search", "a"}}).message, message);
  EXPECT_EQ(error("slice", {{"text", ""}}).message, message);
  EXPECT_EQ(error("split", {{"text", ""}}).message, message);
  EXPECT_EQ(error("trim", {{"text", ""}}).message, message);
  EXPECT_EQ(error("case", {{"text", ""}, {"to", "upper"}}).message, message);
  EXPECT_EQ(error("trim", {{"text", ""}}).code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(error("replace", {{"text", "a"}, {"search", ""}}).message,
            "'search' must be a non-empty string");
}

TEST_F(TextTransform, RefusesArgumentsOfAnotherType) {
  for (const auto& [name, input] : std::vector<std::pair<std::string, JsonObject>>{
           {"replace", {{"text", "aba"}, {"search", "a"}, {"replacement", 5}}},
           {"replace", {{"text", "aba"}, {"search", "a"}, {"all", "yes"}}},
           {"slice", {{"text", "a"}, {"start", nullptr}}},
           {"split", {{"text", "a"}, {"delimiter", 5}}},
           {"split", {{"text", "a"}, {"maxParts", "2"}}},
           {"join", {{"parts", "abc"}}},
           {"join", {{"parts", JsonArray{"a", nullptr}}}},
           {"join", {{"parts", JsonArray{JsonArray{}}}}},
           {"join", {{"parts", JsonArray{JsonObject{}}}}},
           {"trim", {{"text", "a"}, {"mode", "weird"}}},
           {"case", {{"text", "a"}, {"to", "UPPER"}}},
           {"case", {{"text", "a"}}},
           {"trim", {{"text", "a"}, {"extra", 1}}}}) {
    EXPECT_EQ(error(name, input).code, ErrorCode::ToolInvalidArgs) << name << to_text(input);
  }
}

TEST_F(TextTransform, ReplacesLiterallyWithoutOverlapFromLeftToRight) {
  EXPECT_EQ(
      value("replace", {{"text", "aaaaa"}, {"search", "aa"}, {"replacement", "b"}, {"all", true}}),
      R"("bba")");
  EXPECT_EQ(
      value("replace", {{"text", "a.b.c"}, {"search", "."}, {"replacement", "$&"}, {"all", true}}),
      R"("a$&b$&c")");
  EXPECT_EQ(value("replace", {{"text", "abc"}, {"search", "b"}}), R"("ac")");
  EXPECT_EQ(value("replace",
                  {{"text", "abab"}, {"search", "ab"}, {"replacement", "ab-ab"}, {"all", true}}),
            R"("ab-abab-ab")");
  EXPECT_EQ(value("replace", {{"text", "abab"}, {"search", "ab"}, {"all", true}}), R"("")");
  EXPECT_EQ(output("replace", {{"text", "abc"}, {"search", "z"}, {"replacement", "q"}}),
            R"({"original":"abc","result":"abc","replacements":0})");
  EXPECT_EQ(value("replace",
                  {{"text", "한글한글"}, {"search", "한"}, {"replacement", "X"}, {"all", true}},
                  "replacements"),
            "2");
}

TEST_F(TextTransform, ReplacesOnlyTheFirstUnlessAllIsTrue) {
  EXPECT_EQ(value("replace", {{"text", "aXaX"}, {"search", "X"}, {"replacement", "long"}}),
            R"("alongaX")");
  EXPECT_EQ(value("replace", {{"text", "aXaX"}, {"search", "X"}, {"all", false}}), R"("aaX")");
}

TEST_F(TextTransform, RefusesAReplacementThatWouldFillTheMemory) {
  const Error refused = error("replace", {{"text", std::string(100'000, 'a')},
                                          {"search", "a"},
                                          {"replacement", std::string(100'000, 'b')},
                                          {"all", true}});
  EXPECT_EQ(refused.code, ErrorCode::Limit);
  EXPECT_NE(refused.suggestion.find("'replacement'"), std::string::npos);
}

TEST_F(TextTransform, SlicesByCodePointsLikeAScript) {  // REQ: DEC-3
  EXPECT_EQ(output("slice", {{"text", "a😀한글b"}, {"start", 1}, {"end", 3}}),
            R"({"original":"a😀한글b","result":"😀한","start":1,"end":3,"length":2})");
  EXPECT_EQ(output("slice", {{"text", "한글😀"}}),
            R"({"original":"한글😀","result":"한글😀","start":0,"end":3,"length":3})");
  EXPECT_EQ(value("slice", {{"text", "hello"}, {"start", -3}}), R"("llo")");
  EXPECT_EQ(value("slice", {{"text", "hello"}, {"end", -3}}), R"("he")");
  EXPECT_EQ(value("slice", {{"text", "hello"}, {"start", -99}, {"end", 2}}), R"("he")");
  EXPECT_EQ(value("slice", {{"text", "hello"}, {"start", 1}, {"end", 99}}), R"("ello")");
  EXPECT_EQ(value("slice", {{"text", "hello"}, {"start", 1e300}}), R"("")");
  EXPECT_EQ(value("slice", {{"text", "hello"}, {"end", -1e300}}), R"("")");
}

TEST_F(TextTransform, SlicesNothingWhenTheEndLiesBeforeTheStart) {
  EXPECT_EQ(output("slice", {{"text", "hello"}, {"start", 3}, {"end", 1}}),
            R"({"original":"hello","result":"","start":3,"end":1,"length":0})");
}

TEST_F(TextTransform, CutsFractionsOfPositionsButEchoesThem) {
  EXPECT_EQ(output("slice", {{"text", "hello"}, {"start", 1.9}, {"end", 3.9}}),
            R"({"original":"hello","result":"el","start":1.9,"end":3.9,"length":2})");
  EXPECT_EQ(value("slice", {{"text", "hello"}, {"start", -1.9}}), R"("o")");
  EXPECT_EQ(value("slice", {{"text", "hello"}, {"start", -0.9}}), R"("hello")");
}

TEST_F(TextTransform, SplitsAtEveryDelimiter) {
  EXPECT_EQ(value("split", {{"text", ",a,,b,"}, {"delimiter", ","}}, "parts"),
            R"(["","a","","b",""])");
  EXPECT_EQ(value("split", {{"text", "a\r\nb"}}, "parts"), R"(["a\r","b"])");
  EXPECT_EQ(value("split", {{"text", "aaa"}, {"delimiter", "aa"}}, "parts"), R"(["","a"])");
  EXPECT_EQ(value("split", {{"text", "abc"}, {"delimiter", "abc"}}, "parts"), R"(["",""])");
  EXPECT_EQ(value("split", {{"text", "abc"}, {"delimiter", "x"}}, "parts"), R"(["abc"])");
}

TEST_F(TextTransform, SplitsIntoCodePointsAtAnEmptyDelimiter) {
  EXPECT_EQ(output("split", {{"text", "a😀글"}, {"delimiter", ""}}),
            R"({"delimiter":"","count":3,"parts":["a","😀","글"]})");
  EXPECT_EQ(value("split", {{"text", "a😀글"}, {"delimiter", ""}, {"maxParts", 2}}, "parts"),
            R"(["a","😀"])");
}

TEST_F(TextTransform, DropsThePartsBeyondTheLimit) {
  const auto parts = [this](Json max_parts) {
    return value("split",
                 {{"text", "a,b,c"}, {"delimiter", ","}, {"maxParts", std::move(max_parts)}},
                 "parts");
  };
  EXPECT_EQ(parts(2), R"(["a","b"])");
  EXPECT_EQ(parts(3), R"(["a","b","c"])");
  EXPECT_EQ(parts(1e300), R"(["a","b","c"])");
  EXPECT_EQ(parts(0), "[]");
  EXPECT_EQ(parts(0.5), "[]");
  EXPECT_EQ(parts(1.9), R"(["a"])");
  EXPECT_EQ(parts(-1), R"(["a","b","c"])");
}

TEST_F(TextTransform, RefusesToSplitIntoMorePartsThanAnyoneReads) {
  const std::string text(kMaxParts + 1, 'a');
  EXPECT_EQ(error("split", {{"text", text}, {"delimiter", ""}}).code, ErrorCode::Limit);
  EXPECT_EQ(error("split", {{"text", text}, {"delimiter", "a"}}).code, ErrorCode::Limit);
  EXPECT_EQ(value("split", {{"text", text}, {"delimiter", ""}, {"maxParts", 3}}, "count"), "3");
}

TEST_F(TextTransform, JoinsNumbersAsJavaScriptWritesThem) {
  const JsonArray numbers{100,      1e21,   1e-7, 0.1,   1e20,   123456789012345680000.0, -1.5e22,
                          0.000001, 1.5e-9, -0.0, 2.5e3, 5e-324, 1.7976931348623157e308};
  EXPECT_EQ(value("join", {{"parts", numbers}, {"delimiter", " "}}),
            "\"100 1e+21 1e-7 0.1 100000000000000000000 123456789012345680000 -1.5e+22 0.000001 "
            "1.5e-9 0 2500 5e-324 1.7976931348623157e+308\"");
  EXPECT_EQ(value("join", {{"parts", JsonArray{std::uint64_t(-1), INT64_MIN}}, {"delimiter", " "}}),
            R"("18446744073709551615 -9223372036854775808")");
}

TEST_F(TextTransform, JoinsWithALineEndByDefault) {
  EXPECT_EQ(output("join", {{"parts", JsonArray{"x", true, false, 1}}}),
            R"({"delimiter":"\n","count":4,"result":"x\ntrue\nfalse\n1"})");
  EXPECT_EQ(value("join", {{"parts", JsonArray{"", ""}}}), R"("\n")");
  EXPECT_EQ(output("join", {{"parts", JsonArray{}}, {"delimiter", ","}}),
            R"({"delimiter":",","count":0,"result":""})");
  EXPECT_EQ(value("join", {{"parts", JsonArray{"a", "b"}}, {"delimiter", ""}}), R"("ab")");
}

TEST_F(TextTransform, RefusesAJoinThatWouldFillTheMemory) {
  JsonArray parts(3'000, "x");
  EXPECT_EQ(error("join", {{"parts", parts}, {"delimiter", std::string(100'000, '-')}}).code,
            ErrorCode::Limit);
}

TEST_F(TextTransform, TrimsUnicodeWhiteSpaceAndTheByteOrderMark) {
  EXPECT_EQ(output("trim", {{"text", "\uFEFF\u00A0 x\u3000\u2028"}}),
            "{\"original\":\"\uFEFF\u00A0 x\u3000\u2028\",\"result\":\"x\",\"mode\":\"both\","
            "\"trimmedLength\":5}");
  EXPECT_EQ(value("trim", {{"text", "\u200Bx"}}), "\"\u200Bx\"");
  EXPECT_EQ(value("trim", {{"text", "\t\n x \r\n"}}, "trimmedLength"), "6");
}

TEST_F(TextTransform, TrimsTheEndsThatTheModeNames) {
  EXPECT_EQ(output("trim", {{"text", "  a  "}, {"mode", "start"}}),
            R"({"original":"  a  ","result":"a  ","mode":"start","trimmedLength":2})");
  EXPECT_EQ(output("trim", {{"text", "  a "}, {"mode", "end"}}),
            R"({"original":"  a ","result":"  a","mode":"end","trimmedLength":1})");
  EXPECT_EQ(output("trim", {{"text", "   "}}),
            R"({"original":"   ","result":"","mode":"both","trimmedLength":3})");
  EXPECT_EQ(value("trim", {{"text", "abc"}}, "trimmedLength"), "0");
}

TEST_F(TextTransform, ConvertsCaseByTheFullMappings) {
  EXPECT_EQ(value("case", {{"text", "straße ﬁ"}, {"to", "upper"}}), R"("STRASSE FI")");
  EXPECT_EQ(value("case", {{"text", "ΣΑΣ ÀÉÖ"}, {"to", "lower"}}), R"("σας àéö")");
}

TEST_F(TextTransform, NamesTheChoicesOfAnOption) {
  EXPECT_NE(error("case", {{"text", "x"}, {"to", "title"}}).message.find(R"(["upper", "lower"])"),
            std::string::npos);
  EXPECT_NE(error("trim", {{"text", "x"}, {"mode", "left"}}).message.find("args.mode"),
            std::string::npos);
}

// An embedder's arguments have not been read from JSON, and may hold anything.
TEST_F(TextTransform, AnswersWithValidUtf8Whatever) {  // REQ: DEC-3
  const std::string bad = "a\xFF\xED\xA0\x80";
  const std::string good = "a\uFFFD\uFFFD\uFFFD\uFFFD";
  EXPECT_EQ(call("trim", {{"text", bad}}).output->at("original").as_string(), good);
  EXPECT_EQ(call("slice", {{"text", bad}}).output->at("length").as_int64(), 5);
  EXPECT_EQ(call("join", {{"parts", JsonArray{bad}}}).output->at("result").as_string(), good);
  EXPECT_EQ(
      call("split", {{"text", bad}, {"delimiter", "a"}}).output->at("parts").at(1).as_string(),
      good.substr(1));
  EXPECT_EQ(call("case", {{"text", bad}, {"to", "upper"}}).output->at("result").as_string(),
            "A" + good.substr(1));
}

}  // namespace
}  // namespace goondan::builtin::text_transform
