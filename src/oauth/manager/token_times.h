// When a token that was asked for at `asked_at` expires. Counted from the question, so that a slow
// answer does not make it look younger.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace goondan::oauth {

inline std::optional<std::int64_t> expiry_of(std::optional<std::chrono::seconds> life,
                                             std::int64_t asked_at) {
  if (!life) return std::nullopt;
  return asked_at + life->count();
}

}  // namespace goondan::oauth
