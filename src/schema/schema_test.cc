#include "schema/schema.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

Json json(std::string_view text) {
  return parse_json(text).value();
}

std::shared_ptr<const Schema> compiled(std::string_view text, const SchemaOptions& options = {}) {
  auto schema = Schema::compile(json(text), options);
  if (!schema.ok()) {
    ADD_FAILURE() << text << ": " << schema.error().message;
    return nullptr;
  }
  return *schema;
}

bool valid(std::string_view schema, std::string_view value) {
  return compiled(schema)->valid(json(value));
}

Error failure(const Json& schema, const SchemaOptions& options = {}) {
  const auto result = Schema::compile(schema, options);
  if (result.ok()) {
    ADD_FAILURE() << to_text(schema) << " was accepted";
    return {};
  }
  EXPECT_EQ(result.error().code, ErrorCode::Schema);
  return result.error();
}

TEST(Schema, NamesItsRequiredAndDeclaredProperties) {
  const auto schema =
      compiled(R"({"properties":{"b":{},"a":{}},"required":["z","a"],"type":"object"})");
  EXPECT_EQ(schema->required(), (std::vector<std::string>{"z", "a"}));
  EXPECT_EQ(schema->properties(), (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(compiled("true")->properties().empty());
}

TEST(Schema, TakesUnknownTypeNamesForAnything) {  // REQ: CALL-5
  EXPECT_TRUE(valid(R"({"type":"weird"})", "1"));
  EXPECT_TRUE(valid(R"({"type":["string","weird"]})", "1"));
  EXPECT_FALSE(valid(R"({"type":["string","null"]})", "1"));
}

TEST(Schema, RefusesWhatIsNoSchemaAndNamesThePlace) {  // REQ: RES-11
  struct Case {
    std::string_view schema;
    std::string_view place;
    std::string_view problem;
  };
  const Case cases[] = {
      {"12", "not valid:", "must be a schema"},
      {R"({"type":12})", "at /type:", "must be a type name or an array of different type names"},
      {R"({"type":[]})", "at /type:", "must be a type name"},
      {R"({"properties":{"a":{"type":{"x":1}}}})", "at /properties/a/type:", "but is {\"x\":1}"},
      {R"({"properties":[]})", "at /properties:", "must be an object of schemas but is []"},
      {R"({"properties":{"a/b":3}})", "at /properties/a~1b:", "must be a schema"},
      {R"({"required":"x"})",
       "at /required:", "must be an array of different strings but is \"x\""},
      {R"({"required":["a","a"]})", "at /required:", "different"},
      {R"({"required":true})", "at /required:", "but is true"},
      {R"({"enum":1})", "at /enum:", "must be an array"},
      {R"({"minimum":"1"})", "at /minimum:", "must be a number"},
      {R"({"multipleOf":0})", "at /multipleOf:", "greater than 0"},
      {R"({"minLength":-1})", "at /minLength:", "0 or more"},
      {R"({"minLength":1.5})", "at /minLength:", "0 or more"},
      {R"({"pattern":1})", "at /pattern:", "must be a string"},
      {R"({"uniqueItems":1})", "at /uniqueItems:", "must be true or false"},
      {R"({"items":[{}]})", "at /items:", "must be a schema"},
      {R"({"allOf":[]})", "at /allOf:", "at least one"},
      {R"({"anyOf":[{},1]})", "at /anyOf/1:", "must be a schema"},
      {R"({"dependentRequired":{"a":"b"}})", "at /dependentRequired/a:", "different strings"},
      {R"({"$defs":{"unused":{"type":7}}})", "at /$defs/unused/type:", "but is 7"},
      {R"({"$id":"a#b"})", "at /$id:", "without a fragment"},
      {R"({"$anchor":"1"})", "at /$anchor:", "must be a name"},
      {R"({"$ref":1})", "at /$ref:", "must be a string"},
      {R"({"title":1})", "at /title:", "must be a string"},
      {R"x({"patternProperties":{"(":{}}})x", "at /patternProperties/(:", "regular expression"},
      {R"x({"items":{"pattern":"(?=a)"}})x", "at /items/pattern:", "lookaround"},
      {R"({"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}})", "at /$defs/b/$anchor:", "already"},
      {R"({"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}})", "at /$defs/b/$id:", "already"},
  };
  for (const auto& [schema, place, problem] : cases) {
    const std::string message = failure(json(schema)).message;
    EXPECT_NE(message.find(place), std::string::npos) << schema << ": " << message;
    EXPECT_NE(message.find(problem), std::string::npos) << schema << ": " << message;
  }
}

TEST(Schema, AgreesWithTheMetaschemaOnWhatASchemaIs) {
  const auto metaschema = compiled(R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})");
  for (const char* text : {R"({"type":12})",
                           R"({"properties":[]})",
                           R"({"required":"x"})",
                           R"({"minLength":-1})",
                           R"({"allOf":[]})",
                           R"({"items":[{}]})",
                           R"({"$defs":{"a":1}})",
                           R"({"title":1})",
                           R"({"uniqueItems":"x"})",
                           R"({"multipleOf":-1})",
                           R"({"$anchor":"a b"})",
                           "12",
                           "[]",
                           R"({"dependentRequired":{"a":1}})",
                           R"({"dependencies":{"a":1}})",
                           R"({"const":1})",
                           R"({"type":["string","null"]})",
                           R"({"enum":[]})",
                           R"({"default":1,"examples":[1]})",
                           R"({"if":true,"then":{"not":{}}})",
                           R"({"maxItems":2.0})",
                           R"({"unknown":[1]})"}) {
    EXPECT_EQ(metaschema->valid(json(text)), Schema::compile(json(text)).ok()) << text;
  }
}

TEST(Schema, SuggestsWhatWritersOfOlderDraftsMean) {
  EXPECT_NE(failure(json(R"({"items":[{}]})")).suggestion.find("prefixItems"), std::string::npos);
  EXPECT_NE(failure(json(R"({"required":true})")).suggestion.find("beside"), std::string::npos);
  EXPECT_NE(failure(json(R"({"exclusiveMinimum":true})")).suggestion.find("limit itself"),
            std::string::npos);
}

TEST(Schema, ReadsOlderDraftsByTheRulesTheyShare) {
  const std::string_view schema = R"({"$schema":"http://json-schema.org/draft-07/schema#",
      "items":[{"type":"string"}],"additionalItems":{"$ref":"#n"},
      "definitions":{"n":{"$id":"#n","type":"integer"}}})";
  EXPECT_TRUE(valid(schema, R"(["a",1,2])"));
  EXPECT_FALSE(valid(schema, R"([1])"));
  EXPECT_FALSE(valid(schema, R"(["a","b"])"));
}

TEST(Schema, NeverFetchesAndNamesTheReferenceItCannotFollow) {
  for (const char* text : {R"({"$ref":"http://example.com/x.json"})",
                           R"({"$ref":"file:///etc/passwd"})", R"({"$ref":"other.json#/a"})"}) {
    const std::string message = failure(json(text)).message;
    EXPECT_NE(message.find("nothing is fetched"), std::string::npos) << message;
    EXPECT_NE(message.find("at /$ref"), std::string::npos) << message;
  }
  for (const char* text :
       {R"({"$ref":"#/$defs/x"})", R"({"$ref":"#x"})", R"({"$ref":"#/%"})", R"({"$ref":"#/~2"})",
        R"({"$dynamicRef":"#x"})", R"({"allOf":[{}],"$ref":"#/allOf/00"})"}) {
    EXPECT_NE(failure(json(text)).message.find("there is no schema at"), std::string::npos) << text;
  }
}

TEST(Schema, FindsDocumentsWhereItIsToldTo) {
  std::vector<std::string> asked;
  const SchemaOptions options{.find_document = [&asked](std::string_view uri) {
    asked.emplace_back(uri);
    return std::optional<Json>(json(R"({"type":"integer","$defs":{"bad":{"type":1}}})"));
  }};
  const auto result = Schema::compile(json(R"({"$ref":"http://x/y"})"), options);
  EXPECT_EQ(asked, std::vector<std::string>{"http://x/y"});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("at http://x/y#/$defs/bad/type"), std::string::npos);
}

TEST(Schema, RefusesAVocabularyItMustKnowButDoesNot) {
  const SchemaOptions options{.find_document = [](std::string_view) {
    return std::optional<Json>(json(R"({"$vocabulary":{"http://x/mine":true}})"));
  }};
  const std::string message = failure(json(R"({"$schema":"http://x/meta"})"), options).message;
  EXPECT_NE(message.find("http://x/mine"), std::string::npos) << message;
  EXPECT_TRUE(valid(R"({"$schema":"http://nobody/knows","type":"string"})", "\"a\""));
}

TEST(Schema, CountsCodePoints) {
  EXPECT_TRUE(valid(R"({"maxLength":2})", "\"군단\""));
  EXPECT_TRUE(valid(R"({"minLength":2})", "\"😀😀\""));
  EXPECT_FALSE(valid(R"({"minLength":3})", "\"😀😀\""));
  EXPECT_FALSE(valid(R"({"maxLength":1})", "\"😀😀\""));
}

TEST(Schema, ComparesLargeIntegersExactly) {
  EXPECT_FALSE(valid(R"({"maximum":9007199254740992})", "9007199254740993"));
  EXPECT_TRUE(valid(R"({"minimum":18446744073709551615})", "18446744073709551615"));
  EXPECT_FALSE(valid(R"({"minimum":18446744073709551615})", "18446744073709551614"));
  EXPECT_FALSE(valid(R"({"const":9007199254740993})", "9007199254740992"));
  EXPECT_TRUE(valid(R"({"enum":[1]})", "1.0"));
}

TEST(Schema, TakesNumbersThatAreNotFiniteForNoNumbers) {
  const Json infinite = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(compiled(R"({"type":"number"})")->valid(infinite));
  EXPECT_TRUE(compiled("{}")->valid(infinite));
  EXPECT_FALSE(compiled(R"({"multipleOf":1})")->valid(infinite));
}

TEST(Schema, MayOutliveWhatItWasCompiledFrom) {
  auto source =
      std::make_unique<Json>(json(R"({"enum":["a long enough text to be on the heap"]})"));
  const auto schema = Schema::compile(*source).value();
  source.reset();
  EXPECT_TRUE(schema->valid(Json("a long enough text to be on the heap")));
}

}  // namespace
}  // namespace goondan
