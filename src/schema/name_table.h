// A fixed set of names with fast lookup: the properties of an object, the strings of an `enum`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/text_hash.h"

namespace goondan::schema {

// Where an index may be missing.
inline constexpr std::uint32_t kNone = UINT32_MAX;

// A value; its const functions are thread-safe. A lookup takes bounded time whatever the names
// are: the table is built with another seed until no name is far from its place.
class NameTable {
 public:
  NameTable() = default;
  // A name that is given twice keeps the index of its first place.
  explicit NameTable(std::span<const std::string_view> names);

  // The index that `name` had when the table was built, `kNone` if it was not there.
  [[nodiscard]] std::uint32_t find(std::string_view name) const {
    if (slots_.empty()) return kNone;
    const std::uint64_t hash = hash_text(name, seed_);
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.index == kNone) return kNone;
      if (slot.tag == tag && this->name(slot.index) == name) return slot.index;
    }
  }

  [[nodiscard]] std::string_view name(std::uint32_t index) const {
    const Entry& entry = entries_[index];
    return std::string_view(text_).substr(entry.offset, entry.size);
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint32_t offset;
    std::uint32_t size;
  };

  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t index = kNone;
  };

  // False if a name would be too far from its place.
  bool build(std::size_t capacity, std::uint64_t seed);
  bool insert(std::uint32_t index);

  std::string text_;
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;
  std::uint64_t seed_ = 0;
  std::size_t mask_ = 0;
};

}  // namespace goondan::schema
