#include "os/list_collector.h"

#include "base/utf8.h"
#include "os/collation.h"

namespace goondan::os {

bool ListCollector::less(const Item& a, const Item& b) {
  return a.head != b.head ? a.head < b.head : path_less(a.entry.path, b.entry.path);
}

bool ListCollector::count(std::string_view path) {
  ++total_;
  return max_entries_ > 0 && (!full_ || path_less(path, last_));
}

void ListCollector::add(std::string_view path, ListEntry::Type type, std::uint64_t size) {
  items_.push_back(
      {.head = path_head(path), .entry = {.path = std::string(path), .type = type, .size = size}});
  if (items_.size() >= 2 * max_entries_) drop_surplus();
}

void ListCollector::drop_surplus() {
  const auto last = items_.begin() + static_cast<std::ptrdiff_t>(max_entries_) - 1;
  std::ranges::nth_element(items_, last, less);
  items_.erase(last + 1, items_.end());
  last_ = items_.back().entry.path;
  full_ = true;
}

std::vector<ListEntry> ListCollector::take() {
  if (items_.size() > max_entries_) drop_surplus();
  std::ranges::sort(items_, less);
  std::vector<ListEntry> entries;
  entries.reserve(items_.size());
  for (Item& item : items_) {
    if (!utf8::valid(item.entry.path)) item.entry.path = utf8::repaired(item.entry.path);
    entries.push_back(std::move(item.entry));
  }
  items_.clear();
  return entries;
}

}  // namespace goondan::os
