// tool-search: the model is shown a few tools and one to find the others with.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "extension/shipped/found_tools.h"
#include "extension/shipped/name_patterns.h"
#include "extension/shipped/search_index.h"

namespace goondan::shipped {

inline constexpr std::string_view kSearchTool = "tool-search__search";
inline constexpr std::size_t kDefaultHits = 10;
inline constexpr std::size_t kMaxHits = 50;

// `narrow` on the thread that runs turns; `search` from any.
class ToolSearch {
 public:
  struct Parts {
    const ToolRegistry& registry;
    ExtensionState& state;
    NamePatterns always;
    std::size_t max_found;
    std::size_t min_tools;
  };

  explicit ToolSearch(Parts parts);

  // What the model is to see of `all`, which from now on is what is searched.
  ToolCatalog narrow(const ToolCatalog& all);

  // After a step: what was called stays; what was called in vain, since it was not shown, is shown
  // in the next step.
  Result<void> learn(const StepResult& step);

  // `{query, tools: [{name, description, score}], toolCount, hint}`. The hits are shown from the
  // next step on.
  Result<Json> search(std::string_view query, std::size_t limit);

 private:
  [[nodiscard]] bool always_shown(std::string_view name) const;
  [[nodiscard]] ToolCatalog build(const ToolCatalog& all) const;
  std::vector<SearchIndex::Hit> find(std::string_view query, std::size_t limit);

  Parts parts_;
  FoundTools found_;
  ToolCatalog narrowed_ = {};  // of `searched_` and this revision of `found_`
  std::uint64_t narrowed_for_ = 0;

  std::mutex mutex_;  // for all below
  ToolCatalog searched_ = {};
  SearchIndex index_;
};

}  // namespace goondan::shipped
