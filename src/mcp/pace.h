// Slows down what a server may say unasked: past so much in a while, the rest waits in its pipe. So
// a server that never stops talking keeps itself busy, not us.
#pragma once

#include <cstddef>

#include <goondan/tool_context.h>

namespace goondan::mcp {

inline constexpr std::chrono::milliseconds kPaceWhile{100};

// A value; thread-compatible.
class Pace {
 public:
  explicit Pace(std::size_t most) : most_(most) {}

  void add(std::size_t amount) {
    const Deadline now = Clock::now();
    if (now >= end_) {
      end_ = now + kPaceWhile;
      amount_ = 0;
    }
    amount_ += amount;
  }

  [[nodiscard]] bool paused() const { return amount_ > most_ && Clock::now() < end_; }
  // When to go on.
  [[nodiscard]] Deadline end() const { return end_; }

 private:
  std::size_t most_;
  std::size_t amount_ = 0;
  Deadline end_ = {};
};

}  // namespace goondan::mcp
