#include "schema/name_table.h"

#include <bit>

namespace goondan::schema {
namespace {

// How many slots a lookup may look at.
constexpr std::size_t kMaxSteps = 32;
constexpr std::uint64_t kMaxSeeds = 64;
constexpr std::size_t kMaxGrowth = 16;

}  // namespace

NameTable::NameTable(std::span<const std::string_view> names) {
  if (names.empty()) return;
  entries_.reserve(names.size());
  for (const std::string_view name : names) {
    entries_.push_back(
        {static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(name.size())});
    text_ += name;
  }
  const std::size_t smallest = std::bit_ceil(names.size() * 2);
  std::size_t capacity = smallest;
  for (std::uint64_t seed = 0; seed < kMaxSeeds; ++seed) {
    if (build(capacity, seed)) return;
    if (capacity < smallest * kMaxGrowth) capacity *= 2;
  }
}

bool NameTable::build(std::size_t capacity, std::uint64_t seed) {
  slots_.assign(capacity, Slot{});
  mask_ = capacity - 1;
  seed_ = hash_mix(seed, seed);
  bool near = true;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    near = insert(i) && near;
  }
  return near;
}

bool NameTable::insert(std::uint32_t index) {
  const std::uint64_t hash = hash_text(name(index), seed_);
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::size_t at = hash & mask_;
  std::size_t steps = 0;
  for (; slots_[at].index != kNone; at = (at + 1) & mask_, ++steps) {
    if (slots_[at].tag == tag && name(slots_[at].index) == name(index)) return true;
  }
  slots_[at] = {.tag = tag, .index = index};
  return steps < kMaxSteps;
}

}  // namespace goondan::schema
