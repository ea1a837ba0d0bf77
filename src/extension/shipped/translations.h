// Words that tools are commonly about, in Korean and English, so that a question in one language
// finds tools that are described in the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extension/shipped/search_words.h"

namespace goondan::shipped {

// Immutable, so thread-safe.
class Translations {
 public:
  Translations();

  // Appends what the words of `query` are called in the other language, as far as they are known.
  void append(std::vector<SearchWord>& words, std::string_view query, float weight) const;

 private:
  struct Known {
    std::u32string_view korean;
    std::vector<std::string> english;  // as `append_search_words` writes them; never empty
  };

  std::vector<Known> known_;
};

}  // namespace goondan::shipped
