// Proves that checking a value that conforms takes nothing from the heap. A program of its own,
// because it replaces the global allocation functions to count.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "schema/schema.h"

namespace {

std::size_t allocations = 0;  // NOLINT: the functions below can reach nothing else

void* counted_allocation(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size);  // NOLINT: this is the allocator
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return counted_allocation(size);
}
void* operator new[](std::size_t size) {
  return counted_allocation(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace goondan {
namespace {

std::size_t allocations_of_check(const Json& schema_text, const Json& value) {
  const auto schema = Schema::compile(schema_text).value();
  EXPECT_TRUE(schema->valid(value)) << to_text(schema_text);  // patterns build their automaton
  const std::size_t before = allocations;
  const bool valid = schema->valid(value);
  const bool no_issues = schema->check(value).empty();
  const std::size_t after = allocations;
  EXPECT_TRUE(valid && no_issues) << to_text(schema_text);
  return after - before;
}

struct Case {
  const char* schema;
  const char* value;
};

TEST(SchemaAllocation, WouldBeNoticed) {
  const std::size_t before = allocations;
  const Json text = "a text that is longer than the small string buffer";
  EXPECT_GT(allocations, before) << text.get_string().size();
}

TEST(SchemaAllocation, NeedsNoneWhenTheValueConforms) {
  const Case cases[] = {
      {R"({"type":"object","properties":{"command":{"type":"string","minLength":1,"maxLength":100},
           "mode":{"enum":["read","write"]},"n":{"type":"integer","minimum":0,"maximum":9,
           "multipleOf":3},"x":{"type":"number","multipleOf":0.01},"null":{"const":null}},
           "required":["command","mode"],"additionalProperties":false,"minProperties":1})",
       R"({"command":"a text that is longer than the small string buffer","mode":"write",
           "n":6,"x":0.07,"null":null})"},
      {R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},
           "kids":{"items":{"$ref":"#/$defs/n"},"uniqueItems":true}}}}})",
       R"({"v":1,"kids":[{"v":2},{"v":3,"kids":[{},{"v":4}]}]})"},
      {R"({"$id":"http://x/a","$dynamicAnchor":"t","properties":{"k":{"items":
           {"$dynamicRef":"#t"}}},"unevaluatedProperties":false})",
       R"({"k":[{},{"k":[{}]}]})"},
      {R"({"anyOf":[{"type":"string"},{"properties":{"a":{"const":1}},"required":["a"]}],
           "oneOf":[{"required":["b"]},{"required":["c"]}],"not":{"required":["d"]},
           "allOf":[{"properties":{"b":true}}],
           "if":{"required":["a"]},"then":{"properties":{"e":true}},"unevaluatedProperties":false,
           "dependentRequired":{"a":["b"]},"dependentSchemas":{"b":{"minProperties":2}}})",
       R"({"a":1,"b":"a text that is longer than the small string buffer","e":[]})"},
      {R"({"prefixItems":[{"type":"integer"}],"contains":{"type":"string"},
           "unevaluatedItems":{"type":"null"},"minItems":1,"uniqueItems":true})",
       R"([1,"a text that is longer than the small string buffer",null,"b"])"},
      {R"({"patternProperties":{"^[a-z]+$":{"pattern":"^\\d+-\\w+$"}},
           "propertyNames":{"maxLength":60}})",
       R"({"anameofmorethantwentyletters":"12-ab","b":"3-c"})"},
      {R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})",
       R"({"type":"object","properties":{"a":{"enum":[1,2]}},"required":["a"]})"},
  };
  for (const auto& [schema, value] : cases) {
    EXPECT_EQ(allocations_of_check(parse_json(schema).value(), parse_json(value).value()), 0u)
        << schema;
  }
}

TEST(SchemaAllocation, NeedsNoneForMembersUpToTheStatedSize) {
  JsonObject object;
  JsonArray array;
  for (int i = 0; i < 256; ++i) {
    object["member " + std::to_string(i)] = i;
    array.emplace_back("item " + std::to_string(i));
  }
  const Json schema = parse_json(R"({"anyOf":[{"minProperties":1},{"minItems":1}],
      "unevaluatedProperties":{"type":"integer"},"unevaluatedItems":{"type":"string"},
      "uniqueItems":true})")
                          .value();
  EXPECT_EQ(allocations_of_check(schema, object), 0u);
  EXPECT_EQ(allocations_of_check(schema, array), 0u);
}

}  // namespace
}  // namespace goondan
