// A fast hash of bytes: two loads and one wide multiplication for the short names that properties
// have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace goondan::schema {

namespace detail {

__extension__ using Wide = unsigned __int128;

inline constexpr std::uint64_t kOdd1 = 0x9E3779B97F4A7C15;
inline constexpr std::uint64_t kOdd2 = 0xD6E8FEB86659FD93;

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const Wide product = Wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <class Word>
std::uint64_t load(const char* from) {
  Word word = 0;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

// Up to three bytes, each of them in the result.
inline std::uint64_t load_few(const char* from, std::size_t count) {
  if (count == 0) return 0;
  const auto byte = [from](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(from[i])};
  };
  return byte(0) | byte(count / 2) << 8 | byte(count - 1) << 16;
}

}  // namespace detail

inline std::uint64_t hash_mix(std::uint64_t a, std::uint64_t b) {
  return detail::fold(a ^ detail::kOdd1, b ^ detail::kOdd2);
}

inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) {
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = seed ^ (text.size() * detail::kOdd2);
  for (; left > 16; at += 16, left -= 16) {
    hash = hash_mix(detail::load<std::uint64_t>(at) ^ hash, detail::load<std::uint64_t>(at + 8));
  }
  // The two loads of the rest overlap where it is short.
  if (left >= 8) {
    return hash_mix(detail::load<std::uint64_t>(at) ^ hash,
                    detail::load<std::uint64_t>(at + left - 8));
  }
  if (left >= 4) {
    return hash_mix(detail::load<std::uint32_t>(at) ^ hash,
                    detail::load<std::uint32_t>(at + left - 4));
  }
  return hash_mix(detail::load_few(at, left) ^ hash, left);
}

}  // namespace goondan::schema
