// How much work one check may still do. A schema from a stranger can ask for exponentially much;
// the budget turns that into a plain failure after about a tenth of a second.
#pragma once

#include <cstdint>

namespace goondan::schema {

// One unit is at most about ten nanoseconds of work in an optimised build.
inline constexpr std::uint64_t kCheckBudget = 10'000'000;

// A value; confined to the thread that checks.
class Budget {
 public:
  explicit Budget(std::uint64_t units) : left_(units) {}

  // Pays for work that is needed. False if it cannot be paid; from then on nothing can.
  bool charge(std::uint64_t units) {
    if (units > left_) {
      exhaust();
      return false;
    }
    left_ -= units;
    return true;
  }

  // Pays for work that can be left out. False, and nothing changes, if it costs too much.
  bool charge_optional(std::uint64_t units) {
    if (units > left_ / 2) return false;
    left_ -= units;
    return true;
  }

  void exhaust() {
    left_ = 0;
    exhausted_ = true;
  }

  // Whether some answer since the beginning was a guess.
  [[nodiscard]] bool exhausted() const { return exhausted_; }

 private:
  std::uint64_t left_;
  bool exhausted_ = false;
};

}  // namespace goondan::schema
