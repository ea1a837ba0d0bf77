#include <gtest/gtest.h>

#include <goondan/goondan.h>

#include "builtin/json_query/scanner.h"

namespace goondan::builtin::json_query {
namespace {

class JsonQuery : public testing::Test {
 protected:
  JsonQuery() { EXPECT_TRUE(add_builtin_tools(registry_, {.only = {"json-query"}}).ok()); }

  ToolCallResult call(const std::string& name, JsonObject input, const CallOptions& options = {}) {
    const ToolExecutor executor(registry_);
    return executor.run(ToolCatalog(registry_),
                        {.id = "1", .name = "json-query__" + name, .input = Json(std::move(input))},
                        options);
  }

  // The result as text, so that the order of its keys is seen too.
  std::string output(const std::string& name, JsonObject input) {
    const ToolCallResult result = call(name, std::move(input));
    return result.ok() ? to_text(*result.output) : result.error->message;
  }

  // The value at a path, `-` if there is none.
  std::string value(std::string_view data, std::string_view path) {
    const ToolCallResult result = call("query", {{"data", data}, {"path", path}});
    if (!result.ok()) return result.error->message;
    return result.output->at("found").as_bool() ? to_text(result.output->at("value")) : "-";
  }

  std::string counted(std::string_view data, std::string_view path) {
    const ToolCallResult result = call("count", {{"data", data}, {"path", path}});
    if (!result.ok()) return result.error->message;
    return to_text(result.output->at("count")) + " " + to_text(result.output->at("type"));
  }

  std::string flattened(std::string_view data, Json depth) {
    const ToolCallResult result = call("flatten", {{"data", data}, {"depth", std::move(depth)}});
    return result.ok() ? to_text(result.output->at("result")) : result.error->message;
  }

  Error error(const std::string& name, JsonObject input) {
    return call(name, std::move(input)).error.value_or(Error{});
  }

 private:
  ToolRegistry registry_;
};

// REQ: BLT-json
TEST_F(JsonQuery, AnswersWithTheKeysOfTheSpecificationInItsOrder) {
  EXPECT_EQ(
      output("query", {{"data", R"({"users":[{"name":"Alice"}]})"}, {"path", "users[0].name"}}),
      R"({"path":"users[0].name","found":true,"value":"Alice"})");
  EXPECT_EQ(output("pick", {{"data", R"({"name":"Alice","email":"a@b.c","age":3})"},
                            {"keys", JsonArray{"name", "email"}}}),
            R"({"keys":["name","email"],"result":{"name":"Alice","email":"a@b.c"}})");
  EXPECT_EQ(output("count", {{"data", R"({"items":[1,2,3,4,5]})"}, {"path", ".items"}}),
            R"({"path":".items","count":5,"type":"array"})");
  EXPECT_EQ(output("flatten", {{"data", "[[1,2],[3,4]]"}}),
            R"({"depth":1,"count":4,"result":[1,2,3,4]})");
}

TEST_F(JsonQuery, TakesTheWholeDocumentByDefault) {
  EXPECT_EQ(output("query", {{"data", "[1]"}}), R"({"path":".","found":true,"value":[1]})");
  EXPECT_EQ(output("count", {{"data", R"({"a":1,"b":2})"}}),
            R"({"path":".","count":2,"type":"object"})");
  EXPECT_EQ(output("query", {{"data", "5"}, {"path", ""}}),
            R"({"path":"","found":true,"value":5})");
}

TEST_F(JsonQuery, FollowsKeysAndPositions) {
  EXPECT_EQ(value(R"({"a":{"b":{"c":42}}})", "a.b.c"), "42");
  EXPECT_EQ(value(R"({"a":[1,2]})", "a.0"), "1");
  EXPECT_EQ(value(R"({"a":{"0":"z"}})", "a[0]"), R"("z")");
  EXPECT_EQ(value(R"({"a.b":7})", "[a.b]"), "7");
  EXPECT_EQ(value(R"([[1,2],[3,[4,5]]])", "[1][1][0]"), "4");
  EXPECT_EQ(value(R"({"":1,"a":2})", "a"), "2");
  EXPECT_EQ(value(R"({"이름":"군단"})", "이름"), R"("군단")");
  EXPECT_EQ(value(R"([10,11,12])", " 1x"), "11");
}

TEST_F(JsonQuery, ComparesKeysByTheirMeaning) {
  EXPECT_EQ(value(R"({"\u0061\n":1})", "a\n"), "1");
  EXPECT_EQ(value(R"({"\u0061":1})", "\\u0061"), "-");
  EXPECT_EQ(value(R"({"a\"b":1})", "a\"b"), "1");
}

TEST_F(JsonQuery, FindsNothingWhereThePathLeadsNowhere) {
  EXPECT_EQ(output("query", {{"data", R"({"a":1})"}, {"path", "b.c"}}),
            R"({"path":"b.c","found":false,"value":null})");
  for (const char* path : {"a[2]", "a[-1]", "a[x]", "a[*]", "a[99999999999999999999]", "s[0]",
                           "s.length", "n.x", "toString", "a.length", "null.x", "A"}) {
    EXPECT_EQ(value(R"({"a":[1,2],"s":"str","n":5,"null":null})", path), "-") << path;
  }
}

TEST_F(JsonQuery, TellsAStoredNullFromNothing) {
  EXPECT_EQ(value(R"({"a":null})", "a"), "null");
  EXPECT_EQ(value("null", "."), "null");
  EXPECT_EQ(value("null", "a"), "-");
}

TEST_F(JsonQuery, LetsTheLastOfTwoEqualKeysCount) {
  EXPECT_EQ(value(R"({"a":1,"a":2})", "a"), "2");
  EXPECT_EQ(value(R"({"a":{"b":1},"a":{"c":2}})", "a.b"), "-");
  EXPECT_EQ(value(R"({"a":{"b":1},"a":{"b":2}})", "a.b"), "2");
  EXPECT_EQ(value(R"({"a":{"b":1},"a":5})", "a.b"), "-");
  EXPECT_EQ(value(R"({"a":1,"\u0061":2})", "a"), "2");
  EXPECT_EQ(value(R"({"x":1,"y":2,"x":3})", "."), R"({"x":3,"y":2})");
  EXPECT_EQ(output("pick", {{"data", R"({"a":1,"b":2,"a":3})"}, {"keys", JsonArray{"a"}}}),
            R"({"keys":["a"],"result":{"a":3}})");
  EXPECT_EQ(counted(R"({"a":1,"b":2,"a":3,"\u0062":4})", "."), "2 \"object\"");
  EXPECT_EQ(counted(R"({"a":[1,2],"a":[1]})", "a"), "1 \"array\"");
  EXPECT_EQ(counted(R"({"a":[1,2],"a":{}})", "a[0]"), "0 \"null\"");
}

TEST_F(JsonQuery, KeepsTheValueOfNumbers) {
  EXPECT_EQ(
      value("[1.0,1e2,-0,0.1,9007199254740993,18446744073709551616,3.14159265358979323846,1e999]",
            "."),
      "[1,100,-0,0.1,9007199254740993,18446744073709551616,3.14159265358979323846,1e999]");
  const std::string digits(50'000, '9');
  EXPECT_EQ(value("{\"a\":" + digits + "}", "a"), digits);
}

TEST_F(JsonQuery, CannotBeMadeToWriteAForgedNumber) {
  EXPECT_EQ(value(R"({"\u0000number":"1,2"})", "."), R"({"\u0000number":"1,2"})");
  EXPECT_EQ(value(R"({"\u0000number":"1],[2"})", "."), R"({"\u0000number":"1],[2"})");
}

TEST_F(JsonQuery, CountsByType) {
  EXPECT_EQ(counted("[]", "."), "0 \"array\"");
  EXPECT_EQ(counted("[[1],[2,3]]", "[1]"), "2 \"array\"");
  EXPECT_EQ(counted("{}", "."), "0 \"object\"");
  EXPECT_EQ(counted(R"("abc")", "."), "3 \"string\"");
  EXPECT_EQ(counted(R"("")", "."), "0 \"string\"");
  EXPECT_EQ(counted("null", "."), "0 \"null\"");
  EXPECT_EQ(counted(R"({"a":1})", "zz"), "0 \"null\"");
  EXPECT_EQ(counted(R"({"a":null})", "a"), "0 \"null\"");
  EXPECT_EQ(counted("5", "."), "1 \"number\"");
  EXPECT_EQ(counted("false", "."), "1 \"boolean\"");
}

TEST_F(JsonQuery, CountsStringsInCodePoints) {  // REQ: DEC-3
  EXPECT_EQ(counted(R"("a😀군")", "."), "3 \"string\"");
  EXPECT_EQ(counted(R"("\ud83d\ude00\n")", "."), "2 \"string\"");
}

TEST_F(JsonQuery, PicksInTheOrderOfTheKeys) {
  EXPECT_EQ(output("pick", {{"data", R"({"a":1,"b":null,"c":[{"d":2}]})"},
                            {"keys", JsonArray{"c", "zz", "b", "c"}}}),
            R"({"keys":["c","zz","b","c"],"result":{"c":[{"d":2}],"b":null}})");
  EXPECT_EQ(output("pick", {{"data", R"({"a.b":1,"a":{"b":2}})"}, {"keys", JsonArray{"a.b"}}}),
            R"({"keys":["a.b"],"result":{"a.b":1}})");
  EXPECT_EQ(output("pick", {{"data", R"({"\u0061":1})"}, {"keys", JsonArray{"a"}}}),
            R"({"keys":["a"],"result":{"a":1}})");
  EXPECT_EQ(output("pick", {{"data", "{}"}, {"keys", JsonArray{}}}), R"({"keys":[],"result":{}})");
}

TEST_F(JsonQuery, FlattensAsManyLevelsAsAsked) {
  const std::string data = "[1,[2,[3,[4,[]]]],{\"a\":[5]},[]]";
  EXPECT_EQ(flattened(data, 1), R"([1,2,[3,[4,[]]],{"a":[5]}])");
  EXPECT_EQ(flattened(data, 2), R"([1,2,3,[4,[]],{"a":[5]}])");
  EXPECT_EQ(flattened(data, 1e300), R"([1,2,3,4,{"a":[5]}])");
  EXPECT_EQ(flattened(data, 0), R"([1,[2,[3,[4,[]]]],{"a":[5]},[]])");
  EXPECT_EQ(flattened(data, -1), R"([1,[2,[3,[4,[]]]],{"a":[5]},[]])");
  EXPECT_EQ(flattened(data, 0.5), flattened(data, 1));
  EXPECT_EQ(flattened(data, 1.5), flattened(data, 2));
  EXPECT_EQ(flattened(data, -0.5), flattened(data, 0));
  EXPECT_EQ(output("flatten", {{"data", "[[[1]]]"}, {"depth", 1.5}}),
            R"({"depth":1.5,"count":1,"result":[1]})");
  EXPECT_EQ(output("flatten", {{"data", "[]"}}), R"({"depth":1,"count":0,"result":[]})");
}

TEST_F(JsonQuery, SaysWhatKindOfDocumentItNeeds) {
  const Error pick = error("pick", {{"data", "[1]"}, {"keys", JsonArray{"0"}}});
  EXPECT_EQ(pick.message,
            "Input data must be a JSON object for pick operation, but 'data' is an array");
  EXPECT_EQ(pick.code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(error("flatten", {{"data", R"({"a":1})"}}).message,
            "Input data must be a JSON array for flatten operation, but 'data' is an object");
  EXPECT_EQ(error("flatten", {{"data", "null"}}).message,
            "Input data must be a JSON array for flatten operation, but 'data' is null");
}

TEST_F(JsonQuery, RefusesWhatIsNoJsonAnywhereInTheDocument) {
  for (const std::string_view data :
       {"{bad", "{\"a\":1}x", "{\"a\":1,\"b\":[tru]}", "{\"a\":1,\"b\":\"\\x\"}",
        "{\"a\":1,\"b\":\"\xFF\"}", "{\"a\":1,\"b\":\"\t\"}", "{\"a\":1,\"b\":01}", "{\"a\":1,}",
        "   ", "{\"a\":1"}) {
    for (const char* name : {"query", "count"}) {
      const Error refused = error(name, {{"data", data}, {"path", "a"}});
      EXPECT_EQ(refused.code, ErrorCode::JsonParse) << data;
      EXPECT_TRUE(refused.message.starts_with("Failed to parse input as JSON at line 1")) << data;
    }
    EXPECT_EQ(error("pick", {{"data", data}, {"keys", JsonArray{"a"}}}).code, ErrorCode::JsonParse);
    EXPECT_EQ(error("flatten", {{"data", data}}).code, ErrorCode::JsonParse);
    EXPECT_EQ(error("flatten", {{"data", "[" + std::string(data) + "]x"}}).code,
              ErrorCode::JsonParse);
  }
}

TEST_F(JsonQuery, RefusesBadArguments) {
  EXPECT_EQ(error("query", {{"data", ""}}).message, "'data' must be a non-empty string");
  for (const auto& [name, input] : std::vector<std::pair<std::string, JsonObject>>{
           {"query", {}},
           {"query", {{"data", "1"}, {"path", 5}}},
           {"query", {{"data", "1"}, {"path", nullptr}}},
           {"query", {{"data", 1}}},
           {"query", {{"data", "1"}, {"extra", 1}}},
           {"pick", {{"data", "{}"}}},
           {"pick", {{"data", "{}"}, {"keys", "a"}}},
           {"pick", {{"data", "{}"}, {"keys", JsonArray{"a", 1}}}},
           {"flatten", {{"data", "[]"}, {"depth", "1"}}}}) {
    EXPECT_EQ(error(name, input).code, ErrorCode::ToolInvalidArgs) << name << to_text(input);
  }
}

std::string nested(std::size_t depth, std::string_view inner = "") {
  return std::string(depth, '[') + std::string(inner) + std::string(depth, ']');
}

TEST_F(JsonQuery, SkipsDeepPartsButReturnsNone) {
  const std::string data = "{\"deep\":" + nested(900) + ",\"a\":1}";
  EXPECT_EQ(value(data, "a"), "1");
  EXPECT_EQ(counted(data, "deep[0][0]"), "1 \"array\"");
  const Error refused = error("query", {{"data", data}, {"path", "deep"}});
  EXPECT_EQ(refused.code, ErrorCode::Limit);
  EXPECT_EQ(refused.message, "the result is nested deeper than 64 levels");
  EXPECT_EQ(value(nested(64), "."), nested(64));
  EXPECT_NE(value(nested(65), "."), nested(65));
  EXPECT_EQ(flattened(nested(900, "7"), 1'000), "[7]");
  EXPECT_EQ(flattened(nested(64), 0), nested(64));
  EXPECT_NE(flattened(nested(65), 0), nested(65));
  const auto picked = [this](std::size_t depth) {
    return call("pick", {{"data", "{\"a\":" + nested(depth) + "}"}, {"keys", JsonArray{"a"}}}).ok();
  };
  EXPECT_TRUE(picked(63));
  EXPECT_FALSE(picked(64));
}

TEST_F(JsonQuery, RefusesHostileDepthAtOnce) {
  for (const std::string& data :
       {nested(100'000), std::string(1'000'000, '['), "{\"a\":" + nested(100'000) + "}"}) {
    EXPECT_EQ(error("query", {{"data", data}, {"path", "a"}}).code, ErrorCode::Limit);
    EXPECT_EQ(error("flatten", {{"data", "[" + data + "]"}, {"depth", 1e9}}).code,
              ErrorCode::Limit);
  }
  std::string path;
  for (int i = 0; i < 300'000; ++i)
    path += "[0]";
  EXPECT_EQ(error("query", {{"data", nested(300'000)}, {"path", path}}).code, ErrorCode::Limit);
  EXPECT_EQ(value(nested(5), path), "-");
}

TEST_F(JsonQuery, ReadsHalfASurrogatePairAsAReplacement) {  // REQ: DEC-3
  EXPECT_EQ(value(R"({"a":"x\ud800y"})", "a"), "\"x\uFFFDy\"");
  EXPECT_EQ(value(R"({"\ud800":1})", "\uFFFD"), "1");
}

TEST_F(JsonQuery, ReturnsStringsAsTheyAre) {
  EXPECT_EQ(value(R"({"a":"\u0000\n\"\\군"})", "a"), R"("\u0000\n\"\\군")");
}

TEST_F(JsonQuery, CountsManyKeysOnceEach) {
  std::string data = "{";
  for (int i = 0; i < 60'000; ++i)
    data += "\"k" + std::to_string(i % 20'000) + "\":0,";
  data.back() = '}';
  EXPECT_EQ(counted(data, "."), "20000 \"object\"");
}

TEST_F(JsonQuery, EndsWhenTheCallIsCancelled) {
  std::string data = "[0";
  for (int i = 0; i < 50'000; ++i)
    data += ",0";
  data += "]";
  std::stop_source stop;
  stop.request_stop();
  const ToolCallResult result = call("query", {{"data", data}}, {.stop = stop.get_token()});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error->code, ErrorCode::ToolCancelled);
}

TEST_F(JsonQuery, EchoesThePathAsValidUtf8) {  // REQ: DEC-3
  const ToolCallResult result = call("query", {{"data", "1"}, {"path", "a\xFF"}});
  EXPECT_EQ(result.output->at("path").as_string(), "a\uFFFD");
}

}  // namespace
}  // namespace goondan::builtin::json_query
