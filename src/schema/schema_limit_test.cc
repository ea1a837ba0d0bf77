// Schemas and values that mean harm: each ends in an error or an issue, none in a crash or a wait.
#include <gtest/gtest.h>

#include "schema/schema.h"

namespace goondan {
namespace {

Json json(std::string_view text) {
  return parse_json(text).value();
}

std::string problem(const Json& schema, const SchemaOptions& options = {}) {
  const auto result = Schema::compile(schema, options);
  return result.ok() ? "" : result.error().message;
}

const SchemaIssue kTooComplex{.path = "args", .message = "schema too complex to check"};

void expect_too_complex(std::string_view schema, const Json& value) {
  const auto compiled = Schema::compile(json(schema));
  ASSERT_TRUE(compiled.ok()) << compiled.error().message;
  EXPECT_FALSE((*compiled)->valid(value));
  const auto issues = (*compiled)->check(value);
  ASSERT_FALSE(issues.empty());
  EXPECT_EQ(issues.back(), kTooComplex);
}

// 2 to the power of 60 ways through it.
std::string doubling_schema(std::string_view keyword) {
  std::string text = R"({"$ref":"#/$defs/d60","$defs":{"d0":{"type":"string","minLength":2})";
  for (int i = 1; i <= 60; ++i) {
    const std::string below = R"({"$ref":"#/$defs/d)" + std::to_string(i - 1) + "\"}";
    text += ",\"d" + std::to_string(i) + "\":{\"" + std::string(keyword) + "\":[" + below + "," +
            below + "]}";
  }
  return text + "}}";
}

TEST(SchemaLimits, EndsExponentialSchemas) {
  EXPECT_FALSE(Schema::compile(json(doubling_schema("anyOf"))).value()->valid(Json("x")));
  EXPECT_FALSE(Schema::compile(json(doubling_schema("oneOf"))).value()->valid(Json("x")));
  const auto issues = Schema::compile(json(doubling_schema("allOf"))).value()->check(Json("xyz"));
  EXPECT_EQ(issues, std::vector<SchemaIssue>{kTooComplex});
}

TEST(SchemaLimits, RefusesLoopsThatMakeNoProgress) {
  for (const char* text :
       {R"({"$ref":"#"})", R"({"allOf":[{"$ref":"#"}]})", R"({"not":{"$ref":"#"}})",
        R"({"anyOf":[{"type":"string"},{"$ref":"#"}]})", R"({"if":{"$ref":"#"}})",
        R"({"dependentSchemas":{"a":{"$ref":"#"}}})", R"({"$dynamicRef":"#"})",
        R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}})"}) {
    EXPECT_NE(problem(json(text)).find("never end"), std::string::npos) << text;
  }
  EXPECT_EQ(problem(json(R"({"items":{"$ref":"#"},"propertyNames":{"$ref":"#"}})")), "");
}

TEST(SchemaLimits, EndsLoopsThatOnlyShowWhileChecking) {
  expect_too_complex(R"({"$dynamicAnchor":"a","$dynamicRef":"#a"})", Json(1));
}

TEST(SchemaLimits, EndsInValuesThatAreTooDeep) {
  Json deep = JsonObject{};
  for (int i = 0; i < 20'000; ++i)
    deep = JsonObject{{"a", std::move(deep)}};
  expect_too_complex(R"({"properties":{"a":{"$ref":"#"}}})", deep);
  expect_too_complex(R"({"properties":{"a":{"$ref":"#"}},"unevaluatedProperties":false})", deep);
  expect_too_complex(R"({"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"type":"null"}]})", deep);
}

TEST(SchemaLimits, ReachesTheDepthThatParsingAllows) {
  const Json value = json(std::string(64, '[') + std::string(64, ']'));
  const auto tree = Schema::compile(json(R"({"type":"array","items":{"$ref":"#"}})")).value();
  EXPECT_TRUE(tree->valid(value));
}

TEST(SchemaLimits, RefusesTooManySubschemas) {
  Json many = JsonObject{{"anyOf", JsonArray(std::size_t{30'000}, JsonObject{})}};
  EXPECT_NE(problem(many).find("more than 20000 subschemas"), std::string::npos);
  const SchemaOptions few{.limits = {.max_nodes = 2}};
  EXPECT_NE(problem(json(R"({"allOf":[{},{}]})"), few).find("more than 2"), std::string::npos);
}

TEST(SchemaLimits, RefusesTooManyNamesAndValues) {
  const Json many = JsonObject{{"enum", JsonArray(std::size_t{100'001}, 1)}};
  EXPECT_NE(problem(many).find("at /enum: the schema lists more than 100000"), std::string::npos);
}

TEST(SchemaLimits, RefusesDeepSchemas) {
  Json deep = true;
  for (int i = 0; i < 5'000; ++i)
    deep = JsonObject{{"not", std::move(deep)}};
  EXPECT_NE(problem(deep).find("nested deeper than 64"), std::string::npos);
}

TEST(SchemaLimits, RefusesPatternsThatAreTooMuch) {
  EXPECT_NE(problem(JsonObject{{"pattern", std::string(1001, 'a')}}).find("more than 1000 bytes"),
            std::string::npos);
  EXPECT_NE(problem(json(R"({"pattern":"(a{1000}){1000}"})")).find("may not exceed 1000"),
            std::string::npos);
  EXPECT_NE(problem(json(R"({"pattern":"\\p{L}{1000}"})")).find("too much memory"),
            std::string::npos);
  JsonObject patterns;
  for (int i = 0; i < 300; ++i)
    patterns["^a" + std::to_string(i)] = true;
  EXPECT_NE(problem(JsonObject{{"patternProperties", patterns}}).find("more than 256 patterns"),
            std::string::npos);
}

TEST(SchemaLimits, BoundsTheTextOfIssues) {
  const std::string long_text(100'000, 'x');
  JsonArray choices;
  for (int i = 0; i < 1000; ++i)
    choices.emplace_back(long_text + std::to_string(i));
  const auto schema =
      Schema::compile(
          JsonObject{{"enum", choices}, {"type", "string"}, {"pattern", std::string(1000, 'y')}})
          .value();
  for (const SchemaIssue& issue : schema->check(Json(long_text + "z"))) {
    EXPECT_LT(issue.message.size(), 2000u);
    EXPECT_LT(issue.expected.size(), 2000u);
    EXPECT_LT(issue.got.size(), 100u);
  }
  const auto closed = Schema::compile(json(R"({"additionalProperties":false})")).value();
  EXPECT_LT(closed->check(JsonObject{{long_text, 1}}).at(0).path.size(), 100u);
}

TEST(SchemaLimits, GivesNoMoreIssuesThanAsked) {
  const auto schema = Schema::compile(json(R"({"items":{"type":"string"}})")).value();
  const Json numbers = JsonArray(std::size_t{1000}, 1);
  EXPECT_EQ(schema->check(numbers).size(), 100u);
  EXPECT_EQ(schema->check(numbers, "args", 3).size(), 3u);
  EXPECT_TRUE(schema->check(numbers, "args", 0).empty());
}

}  // namespace
}  // namespace goondan
