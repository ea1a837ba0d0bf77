// The words of an index, and which of them a word of a question may mean.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace goondan::shipped {

using WordId = std::uint32_t;

struct Meaning {
  WordId word;
  float likeness;  // 1: the very word
};

// Thread-compatible. Words are never taken out. Moved, not copied: it points into itself.
class SearchVocabulary {
 public:
  SearchVocabulary() = default;
  SearchVocabulary(SearchVocabulary&&) = default;
  SearchVocabulary& operator=(SearchVocabulary&&) = default;

  // The number of `word`, which is a new one if it was not there: numbers count from 0.
  WordId add(const std::string& word);

  [[nodiscard]] std::size_t size() const { return words_.size(); }

  // Appends the word itself, words that begin with it, and only if there are none of both, words
  // that a slip of the finger makes of it.
  void append_meanings(std::vector<Meaning>& meanings, std::string_view word) const;

 private:
  struct Known {
    const std::string* text;
    std::uint64_t letters;  // a bit for each that occurs
  };

  void append_longer(std::vector<Meaning>& meanings, std::string_view word) const;
  void append_slips(std::vector<Meaning>& meanings, std::string_view word) const;

  std::map<std::string, WordId, std::less<>> ids_;
  std::vector<Known> words_;
};

}  // namespace goondan::shipped
