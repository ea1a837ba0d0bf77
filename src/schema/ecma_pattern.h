// JSON Schema writes regular expressions in the dialect of ECMA-262; RE2 reads a slightly
// different one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan::schema {

struct TranslatedPattern {
  std::string text;          // in RE2's syntax
  std::size_t atoms = 0;     // characters and sets of characters in it
  bool has_repeats = false;  // whether there is a `{2,3}`
};

// `source` in RE2's syntax, groups without captures. Refuses what linear-time matching cannot do
// (lookaround, backreferences) and what ECMA-262 does not know; the message says which.
Result<TranslatedPattern> translate_ecma_pattern(std::string_view source);

}  // namespace goondan::schema
