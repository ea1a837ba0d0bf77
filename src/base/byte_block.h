// Sixteen bytes at a time: which of them are equal to one, which are control characters, which are
// not ASCII. The answers are masks, the lowest bit for the first byte. A value; header-only, for
// loops over megabytes of text.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include <array>
#include <cstring>
#endif

namespace goondan {

class ByteBlock {
 public:
  static constexpr std::size_t kSize = 16;
  using Mask = std::uint32_t;

#if defined(__SSE2__)
  // Reads `kSize` bytes from `bytes` on.
  explicit ByteBlock(const char* bytes)
      : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) {}

  [[nodiscard]] Mask equal_to(char c) const {
    return mask(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)));
  }

  // Below a space, or not ASCII: the latter are negative numbers here.
  [[nodiscard]] Mask control_or_wide() const {
    return mask(_mm_cmplt_epi8(bytes_, _mm_set1_epi8(' ')));
  }

  [[nodiscard]] Mask wide() const {
    return mask(bytes_);
  }

 private:
  static Mask mask(__m128i bytes) {
    return static_cast<Mask>(_mm_movemask_epi8(bytes));
  }

  __m128i bytes_;
#else
  explicit ByteBlock(const char* bytes) {
    std::memcpy(bytes_.data(), bytes, kSize);
  }

  [[nodiscard]] Mask equal_to(char c) const {
    const auto wanted = static_cast<signed char>(c);
    return mask([wanted](signed char byte) { return byte == wanted; });
  }

  [[nodiscard]] Mask control_or_wide() const {
    return mask([](signed char byte) { return byte < ' '; });
  }

  [[nodiscard]] Mask wide() const {
    return mask([](signed char byte) { return byte < 0; });
  }

 private:
  template <class Test>
  [[nodiscard]] Mask mask(Test test) const {
    Mask bits = 0;
    for (std::size_t i = 0; i < kSize; ++i)
      bits |= (test(bytes_[i]) ? Mask{1} : Mask{0}) << i;
    return bits;
  }

  std::array<signed char, kSize> bytes_;
#endif
};

// The place of the first byte in a mask that is not empty.
inline std::size_t first_of(ByteBlock::Mask mask) {
  return static_cast<std::size_t>(std::countr_zero(mask));
}

}  // namespace goondan
