// What the shapes of `secret_patterns.cc` are told apart by: kinds of characters, runs of them, and
// what stands before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/secret_patterns.h"

namespace goondan::patterns {

// Sets of characters, as bits.
using CharacterSet = std::uint8_t;
inline constexpr CharacterSet kDigit = 1;
inline constexpr CharacterSet kUpper = 2;
inline constexpr CharacterSet kLower = 4;
inline constexpr CharacterSet kDash = 8;         // -
inline constexpr CharacterSet kUnderscore = 16;  // _
inline constexpr CharacterSet kPlusSlash = 32;   // + / and %, which stands for such characters
inline constexpr CharacterSet kDotTilde = 64;    // . ~
inline constexpr CharacterSet kBlank = 128;      // space, tab, line ends
inline constexpr CharacterSet kAlphanumeric = kDigit | kUpper | kLower;
inline constexpr CharacterSet kWord = kAlphanumeric | kUnderscore;
inline constexpr CharacterSet kBase64Url = kWord | kDash;
inline constexpr CharacterSet kToken = kBase64Url | kPlusSlash | kDotTilde;

constexpr std::array<CharacterSet, 256> make_character_sets() {
  std::array<CharacterSet, 256> sets{};
  for (unsigned char c = '0'; c <= '9'; ++c)
    sets[c] = kDigit;
  for (unsigned char c = 'A'; c <= 'Z'; ++c)
    sets[c] = kUpper;
  for (unsigned char c = 'a'; c <= 'z'; ++c)
    sets[c] = kLower;
  sets['-'] = kDash;
  sets['_'] = kUnderscore;
  sets['+'] = sets['/'] = sets['%'] = kPlusSlash;
  sets['.'] = sets['~'] = kDotTilde;
  sets[' '] = sets['\t'] = sets['\r'] = sets['\n'] = kBlank;
  return sets;
}

inline constexpr std::array<CharacterSet, 256> kCharacterSets = make_character_sets();

constexpr CharacterSet set_of(char c) {
  return kCharacterSets[static_cast<unsigned char>(c)];
}

// Between a name and its value.
inline constexpr std::size_t kMostBlanks = 4;

// Characters of some sets in a row, and which sets they are from.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  CharacterSet seen = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
  [[nodiscard]] bool has(CharacterSet sets) const { return (seen & sets) == sets; }
};

inline std::string_view text_of(const PatternText& text, const Run& run) {
  return text.all().substr(run.begin, run.size());
}

// The longest run from `begin`, but not past `limit`.
Run read_run(PatternText& text, std::size_t begin, CharacterSet sets, std::size_t limit);

// Whether a token could begin at `position`: what is before is none of `sets` and no mask.
bool begins_at(std::string_view text, std::size_t position, CharacterSet sets);

// The text before `position`, as far as shapes look back.
std::string_view before(std::string_view text, std::size_t position);

// Past at most `most` blanks.
std::size_t skip_blanks(PatternText& text, std::size_t position, std::size_t most);

bool ends_with_any_case(std::string_view text, std::string_view lower_case);

// Past the one or two `=` that base64 may end with.
std::size_t skip_padding(PatternText& text, std::size_t position);

// Secrets mix kinds of characters; words and names in source code do not.
bool looks_random(const Run& run);

// Words with at most four digits at their end: `optional1234`, `MY_KEY_1`.
bool is_wordy(std::string_view text);

// Whether it is a word or a placeholder, which a name in source code or an example would be.
bool is_example(std::string_view text);

bool has_mask(PatternText& text, std::size_t position);

// From behind a name to its value, past quotes and `=` or `:`; nothing if no value follows.
std::size_t skip_to_value(PatternText& text, std::size_t position);

// Past `key`, `_key` or `-key`; 0 if it does not follow.
std::size_t skip_key_word(PatternText& text, std::size_t position);

}  // namespace goondan::patterns
