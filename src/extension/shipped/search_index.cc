#include "extension/shipped/search_index.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/json_fields.h"
#include "base/utf8.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kMaxText = 4'000;  // code points of a description that are looked at
constexpr std::size_t kMaxQuery = 500;   // code points
constexpr std::size_t kMaxParameters = 64;
constexpr std::size_t kMaxAsked = 128;  // words of a question, with all they may mean
constexpr std::size_t kMaxGone = 64;    // tools that are gone before the rest is built anew

constexpr float kNameWeight = 3.0F;
constexpr float kDescriptionWeight = 1.0F;
constexpr float kParameterWeight = 0.5F;
constexpr float kTranslationWeight = 0.6F;
constexpr float kWholeNameScore = 100.0F;
constexpr float kWorstOfBest = 0.2F;  // hits with less of the best one's score are noise

// The usual constants of BM25, with less held against long descriptions.
constexpr float kSaturation = 1.2F;
constexpr float kLengthShare = 0.5F;

std::vector<SearchWord> words_of(const CatalogItem& item) {
  std::vector<SearchWord> words;
  append_search_words(words, item.name, kNameWeight);
  if (item.description) {
    append_search_words(words, utf8::prefix(*item.description, kMaxText), kDescriptionWeight);
  }
  const JsonObject* properties =
      item.parameters ? object_field(object_or_empty(*item.parameters), "properties") : nullptr;
  if (properties == nullptr) return words;
  std::size_t left = kMaxParameters;
  for (const auto& property : *properties) {
    if (left-- == 0) break;
    append_search_words(words, property.key(), kParameterWeight);
  }
  return words;
}

}  // namespace

void SearchIndex::update(const ToolCatalog& catalog, std::string_view except) {
  if (updates_ > 0 && catalog.entries().data() == catalog_.entries().data()) return;
  ++updates_;
  catalog_ = catalog;
  if (tools_.size() > 2 * places_.size() + kMaxGone) {
    vocabulary_ = {};
    words_.clear();
    tools_.clear();
    places_.clear();
    total_length_ = 0;
  }
  for (const EntryPtr& entry : catalog.entries()) {
    if (entry->name() == except) continue;
    const auto known = places_.find(entry.get());
    if (known == places_.end()) {
      add(entry);
    } else {
      tools_[known->second].update = updates_;
    }
  }
  for (Tool& tool : tools_) {
    if (tool.entry != nullptr && tool.update != updates_) remove(tool);
  }
}

void SearchIndex::add(const EntryPtr& entry) {
  const auto place = static_cast<std::uint32_t>(tools_.size());
  Tool tool{.entry = entry, .update = updates_};
  std::map<WordId, float> weights;
  for (const SearchWord& word : words_of(entry->item())) {
    weights[vocabulary_.add(word.text)] += word.weight;
    tool.length += word.weight;
  }
  words_.resize(vocabulary_.size());
  for (const auto& [word, weight] : weights) {
    words_[word].postings.push_back({.tool = place, .weight = weight});
    ++words_[word].tools;
    tool.words.push_back(word);
  }
  total_length_ += tool.length;
  places_.emplace(entry.get(), place);
  tools_.push_back(std::move(tool));
}

void SearchIndex::remove(Tool& tool) {
  places_.erase(tool.entry.get());
  total_length_ -= tool.length;
  for (const WordId word : tool.words)
    --words_[word].tools;
  tool = {};
}

std::vector<SearchIndex::Asked> SearchIndex::asked_words(std::string_view query) const {
  std::vector<SearchWord> said;
  append_search_words(said, query, 1.0F);
  translations_.append(said, query, kTranslationWeight);
  std::map<WordId, float> weights;
  std::vector<Meaning> meanings;
  for (const SearchWord& word : said) {
    meanings.clear();
    vocabulary_.append_meanings(meanings, word.text);
    for (const Meaning& meaning : meanings) {
      float& weight = weights[meaning.word];
      weight = std::max(weight, word.weight * meaning.likeness);
    }
    if (weights.size() >= kMaxAsked) break;
  }
  std::vector<Asked> asked;
  for (const auto& [word, weight] : weights)
    asked.push_back({.word = word, .weight = weight});
  return asked;
}

void SearchIndex::score_word(const Asked& asked, std::vector<float>& scores) const {
  const Word& word = words_[asked.word];
  if (word.tools == 0) return;
  const auto count = static_cast<float>(places_.size());
  const auto having = static_cast<float>(word.tools);
  const float rarity = std::log(1.0F + (count - having + 0.5F) / (having + 0.5F));
  const float average = std::max(static_cast<float>(total_length_) / count, 1.0F);
  for (const Posting& posting : word.postings) {
    const float length = tools_[posting.tool].length / average;
    const float against = kSaturation * (1.0F - kLengthShare + kLengthShare * length);
    scores[posting.tool] +=
        asked.weight * rarity * posting.weight * (kSaturation + 1.0F) / (posting.weight + against);
  }
}

// A question that holds the whole name of a tool means that one.
void SearchIndex::score_names(std::string_view query, std::vector<float>& scores) const {
  constexpr std::string_view kSpaces = " \t\r\n,;:'\"`()";
  for (std::size_t begin = query.find_first_not_of(kSpaces); begin < query.size();) {
    const std::size_t end = std::min(query.find_first_of(kSpaces, begin), query.size());
    const CatalogEntry* entry = catalog_.find(query.substr(begin, end - begin));
    const auto place = entry == nullptr ? places_.end() : places_.find(entry);
    if (place != places_.end()) scores[place->second] += kWholeNameScore;
    begin = query.find_first_not_of(kSpaces, end);
  }
}

std::vector<SearchIndex::Hit> SearchIndex::search(std::string_view query, std::size_t limit) const {
  query = utf8::prefix(query, kMaxQuery);
  std::vector<float> scores(tools_.size(), 0.0F);
  for (const Asked& asked : asked_words(query))
    score_word(asked, scores);
  score_names(query, scores);
  std::vector<std::uint32_t> found;
  for (std::uint32_t place = 0; place < tools_.size(); ++place) {
    if (scores[place] > 0 && tools_[place].entry != nullptr) found.push_back(place);
  }
  const std::size_t count = std::min(limit, found.size());
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count),
                            [&scores](std::uint32_t a, std::uint32_t b) {
                              return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                            });
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < count; ++i) {
    if (scores[found[i]] < scores[found[0]] * kWorstOfBest) break;
    hits.push_back({.tool = tools_[found[i]].entry, .score = scores[found[i]]});
  }
  return hits;
}

}  // namespace goondan::shipped
