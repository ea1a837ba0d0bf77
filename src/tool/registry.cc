#include <atomic>
#include <cctype>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include <goondan/registry.h>

#include "tool/catalog_snapshot.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxNameLength = 256;

bool name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

// `<tool>__<export>`, or a dotted name of the first dialect.
bool valid_tool_name(std::string_view name) {
  if (name.size() > kMaxNameLength) return false;
  if (!std::all_of(name.begin(), name.end(), name_character)) return false;
  if (ToolName::parse(name)) return true;
  const std::size_t dot = name.find('.');
  return dot != std::string_view::npos && dot > 0 && dot + 1 < name.size();
}

std::string owner_text(const ToolSource& source) {
  switch (source.type) {
    case ToolSourceType::Config:
      return "Tool/" + source.name;
    case ToolSourceType::Extension:
      return "Extension/" + source.name;
    case ToolSourceType::Mcp:
      return "MCP " + source.name;
  }
  return source.name;
}

Error duplicate(const CatalogItem& item, const ToolSource& first) {
  return {.code = ErrorCode::ToolDuplicate,
          .message = "tool '" + item.name + "' is already registered by " + owner_text(first) +
                     "; " + owner_text(item.source) + " cannot register it again",
          .suggestion = "Rename one of the two."};
}

}  // namespace

// Insertion order is kept in `order`; both containers hold the same entries.
struct ToolRegistry::State {
  mutable std::shared_mutex mutex;
  std::unordered_map<std::string_view, std::size_t> index;
  std::vector<std::shared_ptr<const Entry>> order;
  mutable std::shared_ptr<const ToolCatalog::Snapshot> snapshot;  // null after a change
  std::atomic<std::uint64_t> revision{0};

  void changed() {
    snapshot = nullptr;
    ++revision;
  }
};

ToolRegistry::ToolRegistry() : state_(std::make_unique<State>()) {}
ToolRegistry::~ToolRegistry() = default;

Result<void> ToolRegistry::add(RegisteredTool tool) {
  return insert(std::move(tool), IfOwned::Refuse);
}

Result<void> ToolRegistry::add_or_replace(RegisteredTool tool) {
  return insert(std::move(tool), IfOwned::Replace);
}

Result<void> ToolRegistry::insert(RegisteredTool tool, IfOwned if_owned) {
  if (!valid_tool_name(tool.item.name)) {
    return Error{.code = ErrorCode::ToolInvalidName,
                 .message = "invalid tool name: " + truncate_error_message(tool.item.name, 100),
                 .suggestion = "Use <tool>__<export> with letters, digits, '_' and '-'."};
  }
  auto catalog_entry = GDN_TRY(CatalogEntry::make(std::move(tool.item)));
  auto entry =
      std::make_shared<const Entry>(Entry{.catalog_entry = std::move(catalog_entry),
                                          .handler = std::move(tool.handler),
                                          .thread = tool.thread,
                                          .error_message_limit = tool.error_message_limit});
  const CatalogItem& item = entry->catalog_entry->item();
  const std::unique_lock lock(state_->mutex);
  const auto at = state_->index.find(item.name);
  if (at == state_->index.end()) {
    state_->index.emplace(item.name, state_->order.size());
    state_->order.push_back(std::move(entry));
  } else {
    std::shared_ptr<const Entry>& place = state_->order[at->second];
    const ToolSource& owner = place->catalog_entry->item().source;
    if (if_owned == IfOwned::Refuse || owner != item.source) return duplicate(item, owner);
    // The key must view the name of the entry that stays alive.
    auto node = state_->index.extract(at);
    node.key() = item.name;
    state_->index.insert(std::move(node));
    place = std::move(entry);
  }
  state_->changed();
  return {};
}

bool ToolRegistry::remove(std::string_view name, const ToolSource& owner) {
  const std::unique_lock lock(state_->mutex);
  const auto at = state_->index.find(name);
  if (at == state_->index.end()) return false;
  const std::size_t place = at->second;
  if (state_->order[place]->catalog_entry->item().source != owner) return false;
  state_->index.erase(at);  // before the entry whose name is the key
  state_->order.erase(state_->order.begin() + static_cast<std::ptrdiff_t>(place));
  // Those behind it move up; taking out the last is cheap, and so is taking out all from the end.
  for (std::size_t i = place; i < state_->order.size(); ++i)
    state_->index.find(state_->order[i]->catalog_entry->name())->second = i;
  state_->changed();
  return true;
}

std::uint64_t ToolRegistry::revision() const {
  return state_->revision;
}

std::shared_ptr<const ToolRegistry::Entry> ToolRegistry::find(std::string_view name) const {
  const std::shared_lock lock(state_->mutex);
  const auto at = state_->index.find(name);
  return at == state_->index.end() ? nullptr : state_->order[at->second];
}

std::size_t ToolRegistry::size() const {
  const std::shared_lock lock(state_->mutex);
  return state_->order.size();
}

std::shared_ptr<const ToolCatalog::Snapshot> ToolRegistry::snapshot() const {
  {
    const std::shared_lock lock(state_->mutex);
    if (state_->snapshot != nullptr) return state_->snapshot;
  }
  const std::unique_lock lock(state_->mutex);
  if (state_->snapshot == nullptr) {
    std::vector<ToolCatalog::EntryPtr> entries;
    entries.reserve(state_->order.size());
    for (const auto& entry : state_->order)
      entries.push_back(entry->catalog_entry);
    state_->snapshot = std::make_shared<ToolCatalog::Snapshot>(entries);
  }
  return state_->snapshot;
}

}  // namespace goondan
