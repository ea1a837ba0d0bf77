// What this process holds: to be compared before and after.
#pragma once

#include <cstddef>
#include <string>

namespace goondan::soak {

struct ProcessState {
  std::size_t descriptors = 0;
  std::size_t threads = 0;
  std::size_t children = 0;  // orphans of ours among them, after `adopt_orphans`

  [[nodiscard]] std::string text() const;
  friend bool operator==(const ProcessState&, const ProcessState&) = default;
};

ProcessState process_state();
std::size_t resident_bytes();
// The most there was since `forget_peak`.
std::size_t peak_bytes();
void forget_peak();
// From now on what outlives the processes between comes to this one, and is seen.
void adopt_orphans();

}  // namespace goondan::soak
