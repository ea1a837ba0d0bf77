// What a run has done, in numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <goondan/json.h>

namespace goondan::cli {

// A value.
struct Totals {
  std::int64_t turns = 0;
  std::int64_t steps = 0;
  std::int64_t calls = 0;
  std::int64_t failed_calls = 0;
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;

  // Counts one observation.
  void add(const JsonObject& observation);
  // "2 steps · 3 calls (1 failed) · 1.2k tokens in, 340 out · 4.2 s"; `dot` stands in between.
  [[nodiscard]] std::string text(std::chrono::milliseconds duration, std::string_view dot) const;
  [[nodiscard]] JsonObject to_json() const;
};

}  // namespace goondan::cli
