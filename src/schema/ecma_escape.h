// The escapes of an ECMA-262 pattern: `\d`, `\u{1F600}`, `\p{Letter}`.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <goondan/result.h>

namespace goondan::schema {

enum class EscapeIn { Text, Class };

// A set of characters, written so that it can stand between the brackets of an RE2 class.
struct CharacterSet {
  std::string members;
};

// Something that matches no character, such as `\b`, in RE2's syntax.
struct Assertion {
  std::string text;
};

using Escape = std::variant<char32_t, CharacterSet, Assertion>;

// Reads the escape that `rest` begins with, after its backslash, and removes it from `rest`.
Result<Escape> read_escape(std::string_view& rest, EscapeIn where);

// Appends `c` so that RE2 takes it for itself, inside a class and outside.
void append_literal(std::string& out, char32_t c);

// Reads one character; an ill-formed byte counts as U+FFFD. `rest` must not be empty.
char32_t take_character(std::string_view& rest);

}  // namespace goondan::schema
