// Which members of one object or items of one array some subschema has looked at, for
// `unevaluatedProperties` and `unevaluatedItems`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace goondan::schema {

// A value. Needs the heap only for more than `kInline` members.
class Evaluated {
 public:
  static constexpr std::size_t kInline = 256;

  explicit Evaluated(std::size_t size) {
    if (size > kInline) more_.resize((size + 63) / 64);
  }

  void mark(std::size_t index) { words()[index / 64] |= std::uint64_t{1} << (index % 64); }
  void mark_all() { all_ = true; }

  [[nodiscard]] bool contains(std::size_t index) const {
    const std::uint64_t word = more_.empty() ? inline_[index / 64] : more_[index / 64];
    return all_ || ((word >> (index % 64)) & 1) != 0;
  }

  [[nodiscard]] bool all() const { return all_; }

  // Adds what `other`, made for the same value, contains.
  void merge(const Evaluated& other) {
    all_ = all_ || other.all_;
    const std::span<std::uint64_t> mine = words();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      mine[i] |= other.more_.empty() ? other.inline_[i] : other.more_[i];
    }
  }

 private:
  std::span<std::uint64_t> words() {
    return more_.empty() ? std::span<std::uint64_t>(inline_) : std::span<std::uint64_t>(more_);
  }

  std::array<std::uint64_t, kInline / 64> inline_{};
  std::vector<std::uint64_t> more_;
  bool all_ = false;
};

}  // namespace goondan::schema
