// The wording of issues, which a model reads.
#include <fstream>

#include <gtest/gtest.h>

#include "schema/schema.h"

namespace goondan {
namespace {

Json json(std::string_view text) {
  return parse_json(text).value();
}

// `path: message`, one for each line.
std::string issues_text(const Schema& schema, const Json& value) {
  std::string text;
  for (const SchemaIssue& issue : schema.check(value)) {
    text += (text.empty() ? "" : "\n") + issue.path + ": " + issue.message;
  }
  return text;
}

std::vector<SchemaIssue> issues(std::string_view schema, std::string_view value) {
  return Schema::compile(json(schema)).value()->check(json(value));
}

struct Case {
  std::string_view schema;
  std::string_view value;
  std::string_view expected;
};

void expect_all(std::span<const Case> cases) {
  for (const auto& [schema, value, expected] : cases) {
    const auto compiled = Schema::compile(json(schema));
    ASSERT_TRUE(compiled.ok()) << schema << ": " << compiled.error().message;
    EXPECT_EQ(issues_text(**compiled, json(value)), expected) << schema << " for " << value;
    EXPECT_EQ((*compiled)->valid(json(value)), expected.empty()) << schema << " for " << value;
  }
}

TEST(SchemaIssue, SaysWhatTheVectorsSay) {  // REQ: CALL-5
  std::ifstream in(GDN_TEST_DATA "/vectors/validate_args.jsonl");
  std::size_t count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    const Json vector = json(line);
    const auto schema = Schema::compile(vector.at("input").at("schema")).value();
    JsonArray got;
    for (const SchemaIssue& issue : schema->check(vector.at("input").at("args"))) {
      got.push_back(JsonObject{{"path", issue.path}, {"message", issue.message}});
    }
    EXPECT_EQ(to_text(got), to_text(vector.at("expect").at("output").at("issues")))
        << to_text(vector.at("id"));
  }
  EXPECT_EQ(count, 17u);
}

TEST(SchemaIssue, OrdersMissingThenUnexpectedThenDeclared) {  // REQ: CALL-5
  const Case cases[] = {
      {R"({"properties":{"b":{"type":"string","enum":["x"]},"a":{"minimum":5}},
           "required":["r","q"],"additionalProperties":false})",
       R"({"z":1,"a":3,"y":2,"b":"w"})",
       "args.r: required property is missing\n"
       "args.q: required property is missing\n"
       "args.z: unexpected property\n"
       "args.y: unexpected property\n"
       "args.b: value must be \"x\"\n"
       "args.a: value must be at least 5"},
      {R"({"properties":{"a":{"type":"string","enum":["x"],"minLength":3}}})", R"({"a":1})",
       "args.a: expected string but got integer"},
      {R"({"properties":{"a":{"properties":{"b":{}},"required":["c"],
           "additionalProperties":false}}})",
       R"({"a":{"d":1}})",
       "args.a.c: required property is missing\n"
       "args.a.d: unexpected property"},
      {R"({"patternProperties":{"^n":{"type":"integer"}},"additionalProperties":{"type":"string"},
           "properties":{"p":{"type":"null"}}})",
       R"({"x":1,"n1":"a","p":1})",
       "args.p: expected null but got integer\n"
       "args.x: expected string but got integer\n"
       "args.n1: expected integer but got string"},
  };
  expect_all(cases);
}

TEST(SchemaIssue, NamesTypes) {
  const Case cases[] = {
      {R"({"type":"object"})", "[]", "args: expected object but got array"},
      {R"({"type":"integer"})", "1.5", "args: expected integer but got number"},
      {R"({"type":"integer"})", "1.0", ""},
      {R"({"type":"string"})", "1.0", "args: expected string but got integer"},
      {R"({"type":["array","null"]})", "true", "args: expected array|null but got boolean"},
      {R"({"type":"boolean"})", "null", "args: expected boolean but got null"},
      {R"({"type":"number"})", "{}", "args: expected number but got object"},
  };
  expect_all(cases);
}

TEST(SchemaIssue, WritesPathsThatCanBeRead) {
  const Case cases[] = {
      {R"({"additionalProperties":{"type":"string"}})",
       R"({"odd key":1,"a.b":1,"":1,"1st":1,"$x_1":1,"이름":1,"q\"":1})",
       "args[\"odd key\"]: expected string but got integer\n"
       "args[\"a.b\"]: expected string but got integer\n"
       "args[\"\"]: expected string but got integer\n"
       "args[\"1st\"]: expected string but got integer\n"
       "args.$x_1: expected string but got integer\n"
       "args.이름: expected string but got integer\n"
       "args[\"q\\\"\"]: expected string but got integer"},
      {R"({"items":{"items":{"properties":{"k":{"type":"null"}}}}})", R"([[],[{},{"k":0}]])",
       "args[1][1].k: expected null but got integer"},
  };
  expect_all(cases);
  const auto schema = Schema::compile(json(R"({"type":"null"})")).value();
  EXPECT_EQ(schema->check(Json(1), "config.x").at(0).path, "config.x");
}

TEST(SchemaIssue, ExplainsValues) {
  const Case cases[] = {
      {R"({"const":{"a":1}})", "1", "args: value must be {\"a\":1}"},
      {R"({"enum":[1,"a",null]})", "2", "args: value must be one of [1, \"a\", null]"},
      {R"({"enum":["x"]})", "2", "args: value must be \"x\""},
      {R"({"minimum":5})", "4", "args: value must be at least 5"},
      {R"({"maximum":5.5})", "6", "args: value must be at most 5.5"},
      {R"({"exclusiveMinimum":5})", "5", "args: value must be greater than 5"},
      {R"({"exclusiveMaximum":5})", "5", "args: value must be less than 5"},
      {R"({"multipleOf":0.01})", "0.001", "args: value must be a multiple of 0.01"},
      {R"({"minLength":3})", R"("군단")", "args: text must have at least 3 characters but has 2"},
      {R"({"maxLength":1})", R"("군단")", "args: text must have at most 1 character but has 2"},
      {R"({"pattern":"^a+$"})", R"("b")", "args: text must match the pattern ^a+$"},
      {"false", "1", "args: no value is allowed here"},
      {R"({"format":"email"})", R"("no mail")", ""},
  };
  expect_all(cases);
}

TEST(SchemaIssue, ExplainsArraysAndObjects) {
  const Case cases[] = {
      {R"({"minItems":2})", "[1]", "args: array must have at least 2 items but has 1"},
      {R"({"maxItems":1})", "[1,2]", "args: array must have at most 1 item but has 2"},
      {R"({"uniqueItems":true})", R"([1,"a",1.0])",
       "args: items must be unique but items 0 and 2 are equal"},
      {R"({"prefixItems":[{}],"items":false})", "[1,2]", "args[1]: unexpected item"},
      {R"({"contains":{"type":"string"}})", "[1]",
       "args: array must have at least 1 item of type string but has 0"},
      {R"({"contains":{"minimum":3},"maxContains":1})", "[4,5]",
       "args: array must have at most 1 item that matches \"contains\" but has 2"},
      {R"({"minProperties":1})", "{}", "args: object must have at least 1 property but has 0"},
      {R"({"maxProperties":1})", R"({"a":1,"b":1})",
       "args: object must have at most 1 property but has 2"},
      {R"({"properties":{"a":false}})", R"({"a":1})", "args.a: unexpected property"},
      {R"({"propertyNames":{"maxLength":2}})", R"({"abc":1})",
       "args.abc: property name is not allowed: text must have at most 2 characters but has 3"},
      {R"({"dependentRequired":{"card":["address"]}})", R"({"card":1})",
       "args.address: required property is missing because \"card\" is given"},
      {R"({"dependentSchemas":{"a":{"required":["b"]}}})", R"({"a":1})",
       "args.b: required property is missing"},
  };
  expect_all(cases);
}

TEST(SchemaIssue, ExplainsCombinations) {
  const Case cases[] = {
      {R"({"allOf":[{"required":["a"]},{"required":["a","b"]}]})", "{}",
       "args.a: required property is missing\nargs.b: required property is missing"},
      {R"({"anyOf":[{"type":"string"},{"type":["integer","null"]}]})", "[]",
       "args: expected string|integer|null but got array"},
      {R"({"anyOf":[{"const":"a"},{"enum":["b","c"]}]})", R"("x")",
       "args: value must be one of [\"a\", \"b\", \"c\"]"},
      {R"({"anyOf":[{"type":"null"},{"type":"string","minLength":3}]})", R"("x")",
       "args: text must have at least 3 characters but has 1"},
      {R"({"oneOf":[{"type":"number"},{"type":"integer"}]})", "1",
       "args: value matches 2 variants of \"oneOf\" but must match exactly one"},
      {R"({"not":{"type":"string"}})", R"("a")", "args: value must not be of type string"},
      {R"({"not":{"enum":[1,2]}})", "1", "args: value must not be one of [1, 2]"},
      {R"({"not":{"required":["a"]}})", R"({"a":1})", "args: value matches what \"not\" forbids"},
      {R"({"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}})", "1",
       "args: value must be at least 2"},
      {R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}})", "1",
       "args: expected string but got integer"},
  };
  expect_all(cases);
}

TEST(SchemaIssue, ExplainsTheVariantThatIsMeant) {
  const std::string_view schema = R"({"oneOf":[
      {"properties":{"kind":{"const":"circle"},"radius":{"type":"number"}},
       "required":["kind","radius"],"additionalProperties":false},
      {"properties":{"kind":{"const":"square"},"side":{"type":"number"}},
       "required":["kind","side"],"additionalProperties":false}]})";
  const Case cases[] = {
      {schema, R"({"kind":"square","side":"x"})", "args.side: expected number but got string"},
      {schema, R"({"kind":"square","radius":1})",
       "args.side: required property is missing\nargs.radius: unexpected property"},
      {schema, R"({"kind":"circle"})", "args.radius: required property is missing"},
  };
  expect_all(cases);
}

TEST(SchemaIssue, ExplainsWhatIsUnevaluated) {
  const Case cases[] = {
      {R"({"$ref":"#/$defs/a","properties":{"y":{}},"unevaluatedProperties":false,
           "$defs":{"a":{"properties":{"x":{"type":"string"}},"required":["x"]}}})",
       R"({"z":1,"y":1})", "args.x: required property is missing\nargs.z: unexpected property"},
      // A member that fails is reported once, for its own failure.
      {R"({"allOf":[{"properties":{"x":{"type":"string"}}}],"unevaluatedProperties":false})",
       R"({"x":1})", "args.x: expected string but got integer"},
      {R"({"prefixItems":[{}],"unevaluatedItems":{"type":"null"}})", "[1,null,2]",
       "args[2]: expected null but got integer"},
      {R"({"unevaluatedItems":false})", "[1]", "args[0]: unexpected item"},
      // Where no variant matches, none says which members are its own.
      {R"({"anyOf":[{"properties":{"x":{"type":"string"}},"required":["x"]},{"type":"null"}],
           "unevaluatedProperties":false})",
       R"({"x":1})", "args.x: expected string but got integer"},
  };
  expect_all(cases);
}

TEST(SchemaIssue, GivesProgramsWhatTheyNeed) {
  const std::string_view schema = R"({"properties":{"command":{"type":"string"},
      "mode":{"enum":["read","write"]},"count":{"type":"integer","maximum":3}},
      "required":["command"],"additionalProperties":false})";
  const std::vector<SchemaIssue> expected = {
      {.path = "args.command", .message = "required property is missing", .expected = "string"},
      {.path = "args.comand",
       .message = "unexpected property",
       .expected = "one of [\"command\", \"mode\", \"count\"]",
       .got = "\"comand\"",
       .nearest = "command"},
      {.path = "args.mode",
       .message = "value must be one of [\"read\", \"write\"]",
       .expected = "one of [\"read\", \"write\"]",
       .got = "\"wirte\"",
       .nearest = "write"},
      {.path = "args.count",
       .message = "value must be at most 3",
       .expected = "at most 3",
       .got = "4"},
  };
  EXPECT_EQ(issues(schema, R"({"comand":"ls","mode":"wirte","count":4})"), expected);
}

TEST(SchemaIssue, CutsLongValuesAndLists) {
  JsonArray choices;
  for (int i = 0; i < 25; ++i)
    choices.emplace_back(i);
  const auto schema = Schema::compile(JsonObject{{"enum", choices}}).value();
  const auto found = schema->check(Json(std::string(100, 'x')));
  EXPECT_NE(found.at(0).message.find("18, 19, ... 5 more]"), std::string::npos);
  EXPECT_EQ(found.at(0).got, "\"" + std::string(60, 'x') + "...\"");
}

}  // namespace
}  // namespace goondan
