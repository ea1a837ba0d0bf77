// Which code points are invisible, and where one is needed all the same.
#pragma once

namespace goondan {

enum class Visibility {
  Visible,
  Hidden,     // never part of ordinary text
  Joiner,     // U+200C, U+200D: needed between some letters and inside emoji
  Variation,  // picks a form of the character before it
};

Visibility visibility_of(char32_t code);

// Whether a joiner between these two has something to join.
bool joins(char32_t before, char32_t after);

// Whether `selector` may pick a form of `before`.
bool has_variants(char32_t before, char32_t selector);

}  // namespace goondan
