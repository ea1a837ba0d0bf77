// How long to wait before something that keeps dying is started again. A value.
#pragma once

#include <algorithm>
#include <chrono>

namespace goondan::orchestrator {

inline constexpr int kQuickRestarts = 5;
inline constexpr std::chrono::milliseconds kFirstBackoff{1'000};
inline constexpr std::chrono::milliseconds kLongestBackoff{300'000};

class Backoff {
 public:
  // It has died once more; returns how long to wait.
  std::chrono::milliseconds crashed() {
    ++crashes_;
    if (crashes_ <= kQuickRestarts) return std::chrono::milliseconds(0);
    wait_ = wait_.count() == 0 ? kFirstBackoff : std::min(wait_ * 2, kLongestBackoff);
    return wait_;
  }

  // It has done what it is for.
  void reset() { *this = {}; }

  [[nodiscard]] int crashes() const { return crashes_; }

 private:
  int crashes_ = 0;
  std::chrono::milliseconds wait_{0};
};

}  // namespace goondan::orchestrator
