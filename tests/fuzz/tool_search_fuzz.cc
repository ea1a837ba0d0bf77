// Descriptions of tools come from servers that may say anything, questions from models. The first
// line is the question, each other one a tool: its name, a tab, its description.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "extension/shipped/search_index.h"

namespace {

using namespace goondan;
using shipped::SearchIndex;

constexpr std::size_t kLimit = 5;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line;
}

void check(const SearchIndex& index, std::string_view query) {
  const std::vector<SearchIndex::Hit> hits = index.search(query, kLimit);
  require(hits.size() <= kLimit && hits.size() <= index.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    require(hits[i].tool != nullptr && std::isfinite(hits[i].score) && hits[i].score > 0);
    require(i == 0 || hits[i - 1].score >= hits[i].score);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view query = next_line(rest);
  std::vector<ToolCatalog::EntryPtr> entries;
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const std::string_view description = line.substr(std::min(tab + 1, line.size()));
    entries.push_back(*CatalogEntry::make(
        {.name = std::string(line.substr(0, tab)), .description = std::string(description)}));
  }
  SearchIndex index;
  check(index, query);
  index.update(ToolCatalog(entries), "");
  check(index, query);
  if (!entries.empty()) entries.pop_back();
  index.update(ToolCatalog(entries), query);
  check(index, query);
  require(index.size() <= entries.size());
  return 0;
}
