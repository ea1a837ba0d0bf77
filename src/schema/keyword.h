// The keywords of draft 2020-12: which vocabulary each belongs to and what its value must look
// like. Everything that must know "all keywords" reads this table.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace goondan::schema {

enum class Vocabulary : std::uint8_t {
  Core,
  Applicator,
  Unevaluated,
  Validation,
  MetaData,
  Format,
  Content,
};

inline constexpr std::size_t kVocabularyCount = 7;
using VocabularySet = std::bitset<kVocabularyCount>;

// What the value of a keyword must look like.
enum class Shape : std::uint8_t {
  Anything,
  Text,
  Id,      // a URI reference without a fragment
  Anchor,  // a plain name
  Flag,
  Number,
  Positive,  // a number greater than zero
  Count,     // an integer that is not negative
  List,
  Names,        // an array of different strings
  Types,        // a type name or an array of them
  NamesByName,  // an object of `Names`
  FlagsByName,
  Schema,
  Schemas,  // an array of at least one schema
  SchemasByName,
  SchemaOrNamesByName,
};

// X(identifier, name, vocabulary, shape)
#define GDN_SCHEMA_KEYWORDS(X)                                           \
  X(Id, "$id", Core, Id)                                                 \
  X(Schema, "$schema", Core, Text)                                       \
  X(Ref, "$ref", Core, Text)                                             \
  X(Anchor, "$anchor", Core, Anchor)                                     \
  X(DynamicRef, "$dynamicRef", Core, Text)                               \
  X(DynamicAnchor, "$dynamicAnchor", Core, Anchor)                       \
  X(Vocabulary, "$vocabulary", Core, FlagsByName)                        \
  X(Comment, "$comment", Core, Text)                                     \
  X(Defs, "$defs", Core, SchemasByName)                                  \
  X(Definitions, "definitions", Core, SchemasByName)                     \
  X(PrefixItems, "prefixItems", Applicator, Schemas)                     \
  X(Items, "items", Applicator, Schema)                                  \
  X(AdditionalItems, "additionalItems", Applicator, Anything)            \
  X(Contains, "contains", Applicator, Schema)                            \
  X(AdditionalProperties, "additionalProperties", Applicator, Schema)    \
  X(Properties, "properties", Applicator, SchemasByName)                 \
  X(PatternProperties, "patternProperties", Applicator, SchemasByName)   \
  X(DependentSchemas, "dependentSchemas", Applicator, SchemasByName)     \
  X(Dependencies, "dependencies", Applicator, SchemaOrNamesByName)       \
  X(PropertyNames, "propertyNames", Applicator, Schema)                  \
  X(If, "if", Applicator, Schema)                                        \
  X(Then, "then", Applicator, Schema)                                    \
  X(Else, "else", Applicator, Schema)                                    \
  X(AllOf, "allOf", Applicator, Schemas)                                 \
  X(AnyOf, "anyOf", Applicator, Schemas)                                 \
  X(OneOf, "oneOf", Applicator, Schemas)                                 \
  X(Not, "not", Applicator, Schema)                                      \
  X(UnevaluatedItems, "unevaluatedItems", Unevaluated, Schema)           \
  X(UnevaluatedProperties, "unevaluatedProperties", Unevaluated, Schema) \
  X(Type, "type", Validation, Types)                                     \
  X(Const, "const", Validation, Anything)                                \
  X(Enum, "enum", Validation, List)                                      \
  X(MultipleOf, "multipleOf", Validation, Positive)                      \
  X(Maximum, "maximum", Validation, Number)                              \
  X(ExclusiveMaximum, "exclusiveMaximum", Validation, Number)            \
  X(Minimum, "minimum", Validation, Number)                              \
  X(ExclusiveMinimum, "exclusiveMinimum", Validation, Number)            \
  X(MaxLength, "maxLength", Validation, Count)                           \
  X(MinLength, "minLength", Validation, Count)                           \
  X(Pattern, "pattern", Validation, Text)                                \
  X(MaxItems, "maxItems", Validation, Count)                             \
  X(MinItems, "minItems", Validation, Count)                             \
  X(UniqueItems, "uniqueItems", Validation, Flag)                        \
  X(MaxContains, "maxContains", Validation, Count)                       \
  X(MinContains, "minContains", Validation, Count)                       \
  X(MaxProperties, "maxProperties", Validation, Count)                   \
  X(MinProperties, "minProperties", Validation, Count)                   \
  X(Required, "required", Validation, Names)                             \
  X(DependentRequired, "dependentRequired", Validation, NamesByName)     \
  X(Title, "title", MetaData, Text)                                      \
  X(Description, "description", MetaData, Text)                          \
  X(Default, "default", MetaData, Anything)                              \
  X(Deprecated, "deprecated", MetaData, Flag)                            \
  X(ReadOnly, "readOnly", MetaData, Flag)                                \
  X(WriteOnly, "writeOnly", MetaData, Flag)                              \
  X(Examples, "examples", MetaData, List)                                \
  X(Format, "format", Format, Text)                                      \
  X(ContentEncoding, "contentEncoding", Content, Text)                   \
  X(ContentMediaType, "contentMediaType", Content, Text)                 \
  X(ContentSchema, "contentSchema", Content, Schema)

enum class KeywordId : std::uint8_t {
#define GDN_ENUMERATOR(id, name, vocabulary, shape) id,
  GDN_SCHEMA_KEYWORDS(GDN_ENUMERATOR)
#undef GDN_ENUMERATOR
};

struct Keyword {
  KeywordId id;
  std::string_view name;
  Vocabulary vocabulary;
  Shape shape;
};

// Null for a name that is no keyword.
const Keyword* find_keyword(std::string_view name);

const Keyword& keyword(KeywordId id);

}  // namespace goondan::schema
