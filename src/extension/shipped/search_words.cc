#include "extension/shipped/search_words.h"

#include <algorithm>
#include <array>

#include "base/unicode_case.h"
#include "extension/shipped/code_points.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kMaxWord = 64;   // code points; longer ones are data, not words
constexpr float kJoinedWeight = 0.7F;  // `github` of `GitHub`, beside `git` and `hub`

constexpr std::array<std::string_view, 36> kStopWords{
    "a",   "an",   "and",  "are",  "as",    "at",     "be",   "by",  "can",
    "do",  "for",  "from", "how",  "i",     "in",     "into", "is",  "it",
    "its", "me",   "my",   "of",   "on",    "or",     "that", "the", "this",
    "to",  "want", "need", "what", "which", "please", "with", "you", "your"};

enum class Kind { Break, Lower, Upper, Digit, Letter, Hangul, Ideograph };

Kind kind_of(char32_t c) {
  if (c >= 'a' && c <= 'z') return Kind::Lower;
  if (c >= 'A' && c <= 'Z') return Kind::Upper;
  if (c >= '0' && c <= '9') return Kind::Digit;
  if (c < 0xaa) return Kind::Break;
  if (is_hangul(c)) return Kind::Hangul;
  const bool kana = c >= 0x3041 && c <= 0x30ff;
  const bool han = (c >= 0x3400 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
                   (c >= 0x20000 && c <= 0x3ffff);
  if (kana || han) return Kind::Ideograph;
  const bool mark = (c >= 0x2000 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f) ||
                    (c >= 0xfe00 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff0f) ||
                    (c >= 0x1f000 && c <= 0x1faff) || c == 0xb7 || c == 0xab || c == 0xbb;
  return mark ? Kind::Break : Kind::Letter;
}

bool is_latin(Kind kind) {
  return kind == Kind::Lower || kind == Kind::Upper || kind == Kind::Digit || kind == Kind::Letter;
}

void append_word(std::vector<SearchWord>& words, std::u32string_view word, float weight) {
  if (word.empty() || word.size() > kMaxWord) return;
  std::string text = to_utf8(word);
  const bool ascii = std::ranges::all_of(word, [](char32_t c) { return c < 0x80; });
  if (!ascii) {
    text = std::string(unicode::lower_case(text));
  } else {
    std::ranges::transform(text, text.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (std::ranges::find(kStopWords, text) != kStopWords.end()) return;
    text = english_stem(std::move(text));
  }
  words.push_back({.text = std::move(text), .weight = weight});
}

// A new word begins at a capital after a small letter, and at the last of several capitals.
bool camel_border(std::u32string_view run, std::size_t at) {
  if (at == 0 || kind_of(run[at]) != Kind::Upper) return false;
  const Kind before = kind_of(run[at - 1]);
  if (before == Kind::Lower || before == Kind::Digit) return true;
  return before == Kind::Upper && at + 1 < run.size() && kind_of(run[at + 1]) == Kind::Lower;
}

void append_latin(std::vector<SearchWord>& words, std::u32string_view run, float weight) {
  std::size_t begin = 0;
  for (std::size_t at = 1; at < run.size(); ++at) {
    if (!camel_border(run, at)) continue;
    append_word(words, run.substr(begin, at - begin), weight);
    begin = at;
  }
  append_word(words, run.substr(begin), weight);
  if (begin > 0) append_word(words, run, weight * kJoinedWeight);
}

void append_pairs(std::vector<SearchWord>& words, std::u32string_view run, float weight) {
  if (run.size() == 1) words.push_back({.text = to_utf8(run), .weight = weight});
  for (std::size_t at = 0; at + 1 < run.size(); ++at)
    words.push_back({.text = to_utf8(run.substr(at, 2)), .weight = weight});
}

}  // namespace

void append_search_words(std::vector<SearchWord>& words, std::string_view text, float weight) {
  const std::u32string points = code_points(text);
  const std::u32string_view all = points;
  std::size_t begin = 0;
  while (begin < all.size()) {
    const Kind kind = kind_of(all[begin]);
    const auto same = [kind](char32_t c) {
      return is_latin(kind) ? is_latin(kind_of(c)) : kind_of(c) == kind;
    };
    std::size_t end = begin + 1;
    while (end < all.size() && same(all[end]))
      ++end;
    const std::u32string_view run = all.substr(begin, end - begin);
    if (kind == Kind::Hangul) append_hangul_words(words, run, weight);
    if (kind == Kind::Ideograph) append_pairs(words, run, weight);
    if (is_latin(kind)) append_latin(words, run, weight);
    begin = end;
  }
}

}  // namespace goondan::shipped
