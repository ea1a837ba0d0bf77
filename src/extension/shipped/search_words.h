// Text as words that can be looked up: those of a tool's description, those of a question.
//
// Latin words are lower case and cut to their stems, `camelCase` and `snake_case` are taken apart.
// Hangul is written without the spaces and with the endings that would be words of their own
// elsewhere, so it becomes pairs of syllables, its particles and commonest endings left off. Other
// scripts without spaces become pairs of characters too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace goondan::shipped {

struct SearchWord {
  std::string text;
  float weight;
};

// Appends the words of `text`, which may be any bytes.
void append_search_words(std::vector<SearchWord>& words, std::string_view text, float weight);

// The stem of an English word in lower case: `files`, `file`; `creating`, `creat`.
std::string english_stem(std::string word);

// Appends pairs of syllables of a run of Hangul, and its first syllable with less weight: that is
// all that `읽어줘` and `읽기` have in common.
void append_hangul_words(std::vector<SearchWord>& words, std::u32string_view run, float weight);

// A run of Hangul without its particle and ending: `파일을`, `파일`; `삭제해줘`, `삭제`.
std::u32string_view hangul_stem(std::u32string_view run);

bool is_hangul(char32_t code_point);

}  // namespace goondan::shipped
