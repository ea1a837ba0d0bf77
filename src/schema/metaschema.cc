#include "schema/metaschema.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace goondan::schema {
namespace {

constexpr std::string_view kBase = "https://json-schema.org/draft/2020-12/";
constexpr std::string_view kStandard = "https://json-schema.org/draft/2020-12/schema";

// Without `$schema`, `$id` and `$dynamicAnchor`, which all of them have alike.
constexpr std::string_view kSchema = R"json({
  "$vocabulary": {
    "https://json-schema.org/draft/2020-12/vocab/core": true,
    "https://json-schema.org/draft/2020-12/vocab/applicator": true,
    "https://json-schema.org/draft/2020-12/vocab/unevaluated": true,
    "https://json-schema.org/draft/2020-12/vocab/validation": true,
    "https://json-schema.org/draft/2020-12/vocab/meta-data": true,
    "https://json-schema.org/draft/2020-12/vocab/format-annotation": true,
    "https://json-schema.org/draft/2020-12/vocab/content": true
  },
  "allOf": [
    {"$ref": "meta/core"}, {"$ref": "meta/applicator"}, {"$ref": "meta/unevaluated"},
    {"$ref": "meta/validation"}, {"$ref": "meta/meta-data"}, {"$ref": "meta/format-annotation"},
    {"$ref": "meta/content"}
  ],
  "type": ["object", "boolean"],
  "properties": {
    "definitions": {
      "type": "object", "additionalProperties": {"$dynamicRef": "#meta"},
      "deprecated": true, "default": {}
    },
    "dependencies": {
      "type": "object",
      "additionalProperties": {
        "anyOf": [{"$dynamicRef": "#meta"}, {"$ref": "meta/validation#/$defs/stringArray"}]
      },
      "deprecated": true, "default": {}
    },
    "$recursiveAnchor": {"$ref": "meta/core#/$defs/anchorString", "deprecated": true},
    "$recursiveRef": {"$ref": "meta/core#/$defs/uriReferenceString", "deprecated": true}
  }
})json";

constexpr std::string_view kCore = R"json({
  "type": ["object", "boolean"],
  "properties": {
    "$id": {"$ref": "#/$defs/uriReferenceString", "pattern": "^[^#]*#?$"},
    "$schema": {"$ref": "#/$defs/uriString"},
    "$ref": {"$ref": "#/$defs/uriReferenceString"},
    "$anchor": {"$ref": "#/$defs/anchorString"},
    "$dynamicRef": {"$ref": "#/$defs/uriReferenceString"},
    "$dynamicAnchor": {"$ref": "#/$defs/anchorString"},
    "$vocabulary": {
      "type": "object",
      "propertyNames": {"$ref": "#/$defs/uriString"},
      "additionalProperties": {"type": "boolean"}
    },
    "$comment": {"type": "string"},
    "$defs": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}}
  },
  "$defs": {
    "anchorString": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
    "uriString": {"type": "string", "format": "uri"},
    "uriReferenceString": {"type": "string", "format": "uri-reference"}
  }
})json";

constexpr std::string_view kApplicator = R"json({
  "type": ["object", "boolean"],
  "properties": {
    "prefixItems": {"$ref": "#/$defs/schemaArray"},
    "items": {"$dynamicRef": "#meta"},
    "contains": {"$dynamicRef": "#meta"},
    "additionalProperties": {"$dynamicRef": "#meta"},
    "properties": {
      "type": "object", "additionalProperties": {"$dynamicRef": "#meta"}, "default": {}
    },
    "patternProperties": {
      "type": "object", "additionalProperties": {"$dynamicRef": "#meta"},
      "propertyNames": {"format": "regex"}, "default": {}
    },
    "dependentSchemas": {
      "type": "object", "additionalProperties": {"$dynamicRef": "#meta"}, "default": {}
    },
    "propertyNames": {"$dynamicRef": "#meta"},
    "if": {"$dynamicRef": "#meta"},
    "then": {"$dynamicRef": "#meta"},
    "else": {"$dynamicRef": "#meta"},
    "allOf": {"$ref": "#/$defs/schemaArray"},
    "anyOf": {"$ref": "#/$defs/schemaArray"},
    "oneOf": {"$ref": "#/$defs/schemaArray"},
    "not": {"$dynamicRef": "#meta"}
  },
  "$defs": {
    "schemaArray": {"type": "array", "minItems": 1, "items": {"$dynamicRef": "#meta"}}
  }
})json";

constexpr std::string_view kUnevaluated = R"json({
  "type": ["object", "boolean"],
  "properties": {
    "unevaluatedItems": {"$dynamicRef": "#meta"},
    "unevaluatedProperties": {"$dynamicRef": "#meta"}
  }
})json";

constexpr std::string_view kValidation = R"json({
  "type": ["object", "boolean"],
  "properties": {
    "type": {
      "anyOf": [
        {"$ref": "#/$defs/simpleTypes"},
        {"type": "array", "items": {"$ref": "#/$defs/simpleTypes"},
         "minItems": 1, "uniqueItems": true}
      ]
    },
    "const": true,
    "enum": {"type": "array", "items": true},
    "multipleOf": {"type": "number", "exclusiveMinimum": 0},
    "maximum": {"type": "number"},
    "exclusiveMaximum": {"type": "number"},
    "minimum": {"type": "number"},
    "exclusiveMinimum": {"type": "number"},
    "maxLength": {"$ref": "#/$defs/nonNegativeInteger"},
    "minLength": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
    "pattern": {"type": "string", "format": "regex"},
    "maxItems": {"$ref": "#/$defs/nonNegativeInteger"},
    "minItems": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
    "uniqueItems": {"type": "boolean", "default": false},
    "maxContains": {"$ref": "#/$defs/nonNegativeInteger"},
    "minContains": {"$ref": "#/$defs/nonNegativeInteger", "default": 1},
    "maxProperties": {"$ref": "#/$defs/nonNegativeInteger"},
    "minProperties": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
    "required": {"$ref": "#/$defs/stringArray"},
    "dependentRequired": {
      "type": "object", "additionalProperties": {"$ref": "#/$defs/stringArray"}
    }
  },
  "$defs": {
    "nonNegativeInteger": {"type": "integer", "minimum": 0},
    "nonNegativeIntegerDefault0": {"$ref": "#/$defs/nonNegativeInteger", "default": 0},
    "simpleTypes": {
      "enum": ["array", "boolean", "integer", "null", "number", "object", "string"]
    },
    "stringArray": {
      "type": "array", "items": {"type": "string"}, "uniqueItems": true, "default": []
    }
  }
})json";

constexpr std::string_view kMetaData = R"json({
  "type": ["object", "boolean"],
  "properties": {
    "title": {"type": "string"},
    "description": {"type": "string"},
    "default": true,
    "deprecated": {"type": "boolean", "default": false},
    "readOnly": {"type": "boolean", "default": false},
    "writeOnly": {"type": "boolean", "default": false},
    "examples": {"type": "array", "items": true}
  }
})json";

constexpr std::string_view kFormat = R"json({
  "type": ["object", "boolean"],
  "properties": {"format": {"type": "string"}}
})json";

constexpr std::string_view kContent = R"json({
  "type": ["object", "boolean"],
  "properties": {
    "contentEncoding": {"type": "string"},
    "contentMediaType": {"type": "string"},
    "contentSchema": {"$dynamicRef": "#meta"}
  }
})json";

constexpr auto kDocuments = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"schema", kSchema},
    {"meta/core", kCore},
    {"meta/applicator", kApplicator},
    {"meta/unevaluated", kUnevaluated},
    {"meta/validation", kValidation},
    {"meta/meta-data", kMetaData},
    {"meta/format-annotation", kFormat},
    {"meta/format-assertion", kFormat},
    {"meta/content", kContent},
});

}  // namespace

std::optional<Json> find_metaschema(std::string_view uri) {
  if (!uri.starts_with(kBase)) return std::nullopt;
  const std::string_view name = uri.substr(kBase.size());
  const auto* found =
      std::ranges::find(kDocuments, name, [](const auto& row) { return row.first; });
  if (found == kDocuments.end()) return std::nullopt;
  Json document = parse_json(found->second).value();
  document.get_object()["$schema"] = kStandard;
  document.get_object()["$id"] = uri;
  document.get_object()["$dynamicAnchor"] = "meta";
  return document;
}

}  // namespace goondan::schema
