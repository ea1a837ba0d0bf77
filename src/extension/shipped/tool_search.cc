#include "extension/shipped/tool_search.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "extension/shipped/extension_message.h"

namespace goondan::shipped {
namespace {

constexpr std::string_view kHandleTools = "handles__";  // offered only where they are of use
constexpr std::size_t kMaxShownDescription = 300;       // code points
constexpr std::size_t kMaxShownGroups = 30;

Json hit_json(const SearchIndex::Hit& hit) {
  JsonObject object{{"name", hit.tool->name()}};
  const auto& description = hit.tool->item().description;
  if (description) object["description"] = one_line(*description, kMaxShownDescription);
  object["score"] = std::round(static_cast<double>(hit.score) * 100.0) / 100.0;
  return object;
}

std::string group_of(const std::string& name) {
  const std::optional<ToolName> parts = ToolName::parse(name);
  return parts ? parts->resource : name.substr(0, name.find('.'));
}

// What there is, for a question that found nothing: the largest groups of tools.
std::string groups_text(const ToolCatalog& catalog) {
  std::map<std::string, std::size_t> sizes;
  for (const auto& entry : catalog.entries())
    ++sizes[group_of(entry->name())];
  std::vector<std::pair<std::string, std::size_t>> groups(sizes.begin(), sizes.end());
  std::ranges::stable_sort(groups, std::greater(), &std::pair<std::string, std::size_t>::second);
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), kMaxShownGroups); ++i)
    text += (i == 0 ? "" : ", ") + groups[i].first;
  return text + (groups.size() > kMaxShownGroups ? ", ..." : "");
}

bool was_hidden(const ToolCallResult& result) {
  return result.error && result.error->code == ErrorCode::ToolNotInCatalog;
}

}  // namespace

ToolSearch::ToolSearch(Parts parts)
    : parts_(std::move(parts)), found_(parts_.state, parts_.max_found) {}

bool ToolSearch::always_shown(std::string_view name) const {
  return name.starts_with(kHandleTools) || parts_.always.match(name);
}

// New hits come last, so that what providers have in their caches stays the beginning.
ToolCatalog ToolSearch::build(const ToolCatalog& all) const {
  std::vector<ToolCatalog::EntryPtr> entries;
  std::map<std::string_view, const ToolCatalog::EntryPtr*> found;
  const std::vector<std::string> names = found_.names();
  for (const std::string& name : names)
    found.emplace(name, nullptr);
  for (const ToolCatalog::EntryPtr& entry : all.entries()) {
    if (entry->name() == kSearchTool) continue;
    if (always_shown(entry->name())) entries.push_back(entry);
    const auto wanted = found.find(entry->name());
    if (wanted != found.end()) wanted->second = &entry;
  }
  if (const auto own = parts_.registry.find(kSearchTool)) entries.push_back(own->catalog_entry);
  for (const std::string& name : names) {
    const ToolCatalog::EntryPtr* entry = found[name];
    if (entry != nullptr && !always_shown(name)) entries.push_back(*entry);
  }
  return ToolCatalog(entries);
}

ToolCatalog ToolSearch::narrow(const ToolCatalog& all) {
  const std::size_t others = all.size() - (all.contains(kSearchTool) ? 1 : 0);
  if (others < parts_.min_tools) {
    return all.filtered([](const CatalogItem& item) { return item.name != kSearchTool; });
  }
  const std::uint64_t revision = found_.revision();
  const std::lock_guard lock(mutex_);
  const bool same = all.entries().data() == searched_.entries().data();
  if (!same || revision != narrowed_for_ || narrowed_.size() == 0) narrowed_ = build(all);
  narrowed_for_ = revision;
  searched_ = all;
  return narrowed_;
}

Result<void> ToolSearch::learn(const StepResult& step) {
  std::vector<std::string> hidden;
  for (const ToolCallResult& result : step.results) {
    found_.touch(result.tool_name);
    const std::lock_guard lock(mutex_);
    if (was_hidden(result) && searched_.contains(result.tool_name)) {
      hidden.push_back(result.tool_name);
    }
  }
  return found_.add(hidden);
}

std::vector<SearchIndex::Hit> ToolSearch::find(std::string_view query, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  index_.update(searched_, kSearchTool);
  return index_.search(query, limit);
}

Result<Json> ToolSearch::search(std::string_view query, std::size_t limit) {
  JsonArray tools;
  std::vector<std::string> names;
  for (const SearchIndex::Hit& hit : find(query, limit)) {
    tools.push_back(hit_json(hit));
    if (!always_shown(hit.tool->name())) names.push_back(hit.tool->name());
  }
  const Result<void> kept = found_.add(names);
  JsonObject answer{{"query", query}, {"tools", tools}};
  const std::lock_guard lock(mutex_);
  answer["toolCount"] = index_.size();
  if (tools.empty()) {
    answer["hint"] = "No tool fits. Try other words, shorter or in English. The tools there are: " +
                     groups_text(searched_);
  } else {
    answer["hint"] = "You can call these tools from your next step on.";
  }
  if (!kept.ok()) answer["warning"] = "These tools are shown only until a restart.";
  return answer;
}

}  // namespace goondan::shipped
