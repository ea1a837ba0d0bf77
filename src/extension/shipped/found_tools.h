// The tools that have been found in a conversation, kept over restarts.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extension/extension.h"

namespace goondan::shipped {

// Thread-safe: several searches may run at once. Borrows the state.
class FoundTools {
 public:
  // `most`: so many are kept; those that were neither found nor called for longest are forgotten.
  FoundTools(ExtensionState& state, std::size_t most);

  // On disk when it returns. A failure of the store is not fatal: they are found until a restart.
  Result<void> add(std::span<const std::string> names);

  // It was called: it is of use.
  void touch(std::string_view name);

  // In the order in which they were found.
  [[nodiscard]] std::vector<std::string> names() const;

  // Another number after every change of the names.
  [[nodiscard]] std::uint64_t revision() const;

 private:
  struct Found {
    std::string name;
    std::uint64_t used;
  };

  void forget_unused();
  [[nodiscard]] Json to_json() const;

  ExtensionState& state_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::vector<Found> found_;
  std::uint64_t uses_ = 0;
  std::uint64_t revision_ = 0;
};

}  // namespace goondan::shipped
