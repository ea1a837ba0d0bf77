// The way from the checked value to a part of it, kept as a chain on the stack and written out
// only when there is something to say: `args.list[2].key`, `args["odd key"]`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace goondan::schema {

inline constexpr std::size_t kMaxPathCodePoints = 1000;

// A value that borrows its outer step and its key.
struct ValuePath {
  enum class Kind { Root, Member, Item };

  const ValuePath* outer = nullptr;
  Kind kind = Kind::Root;
  std::string_view key = {};  // of a member; for the root its name
  std::size_t index = 0;      // of an item
  std::size_t depth = 0;

  static ValuePath root(std::string_view name) { return {.key = name}; }

  [[nodiscard]] ValuePath member(std::string_view name) const {
    return {.outer = this, .kind = Kind::Member, .key = name, .depth = depth + 1};
  }

  [[nodiscard]] ValuePath item(std::size_t position) const {
    return {.outer = this, .kind = Kind::Item, .index = position, .depth = depth + 1};
  }

  [[nodiscard]] std::string text() const;
};

}  // namespace goondan::schema
