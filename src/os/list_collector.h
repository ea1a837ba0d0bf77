// Keeps the sorted beginning of however many entries, in bounded memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "os/rooted_files.h"

namespace goondan::os {

// A value; confined to one thread.
class ListCollector {
 public:
  explicit ListCollector(std::size_t max_entries) : max_entries_(max_entries) {}

  // Counts an entry. Whether it can be among the first; only then is it worth adding.
  bool count(std::string_view path);
  void add(std::string_view path, ListEntry::Type type, std::uint64_t size);

  [[nodiscard]] std::uint64_t total() const { return total_; }

  // The entries in order, with paths that are valid UTF-8. Ends the collection.
  std::vector<ListEntry> take();

 private:
  struct Item {
    std::uint64_t head;  // of the path, so that most comparisons look no further
    ListEntry entry;     // with the path's own bytes
  };

  static bool less(const Item& a, const Item& b);
  void drop_surplus();

  std::size_t max_entries_;
  std::vector<Item> items_;  // at most twice as many as are kept in the end
  std::string last_;         // the last of those kept so far, once there is a surplus
  bool full_ = false;
  std::uint64_t total_ = 0;
};

}  // namespace goondan::os
