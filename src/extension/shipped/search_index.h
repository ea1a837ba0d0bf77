// Finds tools by what they are called, what they are said to do, and what they take.
//
// Words that few tools have count more than those of many (BM25); a word of the name counts more
// than one of the description, that more than the name of a parameter.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <goondan/catalog.h>

#include "extension/shipped/search_vocabulary.h"
#include "extension/shipped/translations.h"

namespace goondan::shipped {

// Thread-compatible.
class SearchIndex {
 public:
  using EntryPtr = ToolCatalog::EntryPtr;

  struct Hit {
    EntryPtr tool;
    float score;
  };

  // From now on it holds the tools of `catalog`, but not the one called `except`. Costs little
  // where few have changed.
  void update(const ToolCatalog& catalog, std::string_view except);

  // The best first; none that is far worse than the best.
  [[nodiscard]] std::vector<Hit> search(std::string_view query, std::size_t limit) const;

  [[nodiscard]] std::size_t size() const { return places_.size(); }

 private:
  struct Posting {
    std::uint32_t tool;
    float weight;
  };
  struct Word {
    std::vector<Posting> postings = {};  // of tools that are gone, too
    std::uint32_t tools = 0;             // that are there
  };
  struct Tool {
    EntryPtr entry = {};  // null: gone
    float length = 0;
    std::vector<WordId> words = {};
    std::uint64_t update = 0;  // the last one that had it
  };
  struct Asked {
    WordId word;
    float weight;
  };

  void add(const EntryPtr& entry);
  void remove(Tool& tool);
  [[nodiscard]] std::vector<Asked> asked_words(std::string_view query) const;
  void score_word(const Asked& asked, std::vector<float>& scores) const;
  void score_names(std::string_view query, std::vector<float>& scores) const;

  Translations translations_;
  SearchVocabulary vocabulary_;
  std::vector<Word> words_;  // by their numbers in the vocabulary
  std::vector<Tool> tools_;
  std::unordered_map<const CatalogEntry*, std::uint32_t> places_;  // of the tools that are there
  double total_length_ = 0;
  std::uint64_t updates_ = 0;
  ToolCatalog catalog_ = {};  // of the last update
};

}  // namespace goondan::shipped
