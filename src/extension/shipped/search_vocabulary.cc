#include "extension/shipped/search_vocabulary.h"

#include <algorithm>
#include <array>
#include <bit>

namespace goondan::shipped {
namespace {

constexpr std::size_t kShortestBeginning = 3;  // letters of a word that may stand for a longer one
constexpr std::size_t kShortestSlip = 4;       // letters of a word that may be misspelled
constexpr std::size_t kTwoSlips = 8;           // letters from which on two slips are believed
constexpr std::size_t kLongestSlip = 32;
constexpr std::size_t kMaxMeanings = 16;  // of each kind, for one word
constexpr float kLongerLikeness = 0.75F;
constexpr float kSlipLikeness = 0.6F;

bool latin(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::uint64_t letters_of(std::string_view word) {
  std::uint64_t letters = 0;
  for (const char c : word)
    letters |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64U);
  return letters;
}

// Whether `a` becomes `b` by so many letters added, left out, changed, or swapped with their
// neighbour. Both are at most `kLongestSlip` long.
bool within_slips(std::string_view a, std::string_view b, std::size_t most) {
  std::array<std::array<std::uint8_t, kLongestSlip + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j)
    rows[0][j] = static_cast<std::uint8_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& back = rows[(i + 2) % 3];
    const auto& two_back = rows[(i + 1) % 3];
    row[0] = static_cast<std::uint8_t>(i);
    std::uint8_t least = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      int best = std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) best = std::min(best, two_back[j - 2] + 1);
      row[j] = static_cast<std::uint8_t>(best);
      least = std::min(least, row[j]);
    }
    if (least > most) return false;
  }
  return rows[a.size() % 3][b.size()] <= most;
}

}  // namespace

WordId SearchVocabulary::add(const std::string& word) {
  const auto [at, is_new] = ids_.try_emplace(word, static_cast<WordId>(words_.size()));
  if (is_new) words_.push_back({.text = &at->first, .letters = letters_of(word)});
  return at->second;
}

void SearchVocabulary::append_meanings(std::vector<Meaning>& meanings,
                                       std::string_view word) const {
  const std::size_t before = meanings.size();
  const auto exact = ids_.find(word);
  if (exact != ids_.end()) meanings.push_back({.word = exact->second, .likeness = 1.0F});
  if (!latin(word)) return;
  append_longer(meanings, word);
  if (meanings.size() == before) append_slips(meanings, word);
}

void SearchVocabulary::append_longer(std::vector<Meaning>& meanings, std::string_view word) const {
  if (word.size() < kShortestBeginning) return;
  std::size_t left = kMaxMeanings;
  for (auto at = ids_.upper_bound(word); at != ids_.end() && left > 0; ++at) {
    if (!at->first.starts_with(word)) return;
    --left;
    const float part = static_cast<float>(word.size()) / static_cast<float>(at->first.size());
    meanings.push_back({.word = at->second, .likeness = kLongerLikeness * part});
  }
}

void SearchVocabulary::append_slips(std::vector<Meaning>& meanings, std::string_view word) const {
  if (word.size() < kShortestSlip || word.size() > kLongestSlip) return;
  const std::size_t most = word.size() >= kTwoSlips ? 2 : 1;
  const std::uint64_t letters = letters_of(word);
  std::size_t left = kMaxMeanings;
  for (WordId id = 0; id < words_.size() && left > 0; ++id) {
    // A slip changes at most two letters of the set; most words are out with that.
    if (std::popcount(words_[id].letters ^ letters) > static_cast<int>(2 * most)) continue;
    const std::string& other = *words_[id].text;
    if (other.size() + most < word.size() || other.size() > word.size() + most) continue;
    if (other.size() > kLongestSlip || !within_slips(word, other, most)) continue;
    --left;
    meanings.push_back({.word = id, .likeness = kSlipLikeness});
  }
}

}  // namespace goondan::shipped
