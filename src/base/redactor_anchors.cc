#include "base/redactor_anchors.h"

#include <string>

namespace goondan {
namespace {

constexpr std::size_t kHalf = 2;
constexpr std::size_t kWindow = 2 * kHalf;
constexpr unsigned kSecondHalf = 16;  // of an entry's bits
static_assert(2 * kPatternGroups <= kSecondHalf);

// The bytes a character of a window stands for.
std::string bytes_of(char c, AnchorCase letters) {
  if (c == '#') return "0123456789";
  if (c == '?') {
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
      all += static_cast<char>(byte);
    return all;
  }
  std::string one(1, c);
  if (letters == AnchorCase::Any && c >= 'a' && c <= 'z') one += static_cast<char>(c - 'a' + 'A');
  return one;
}

}  // namespace

AnchorTable::AnchorTable() : pairs_(std::size_t{1} << 16) {
  for (const SecretPattern& pattern : secret_patterns()) {
    for (unsigned alignment = 0; alignment < 2; ++alignment) {
      const unsigned bit = 2U * pattern.group + alignment;
      add_half(pattern.window.substr(alignment, kHalf), pattern.letters, bit);
      add_half(pattern.window.substr(alignment + kHalf, kHalf), pattern.letters, bit + kSecondHalf);
    }
  }
}

void AnchorTable::add_half(std::string_view pair, AnchorCase letters, unsigned bit) {
  for (const char first : bytes_of(pair[0], letters)) {
    for (const char second : bytes_of(pair[1], letters)) {
      const auto index = static_cast<unsigned char>(first) |
                         static_cast<std::size_t>(static_cast<unsigned char>(second)) << 8;
      pairs_[index] |= 1U << bit;
    }
  }
}

AnchorTable::Sample AnchorTable::find(std::string_view text, std::size_t from) const {
  constexpr std::size_t kSamples = 8;  // in one step
  const char* const data = text.data();
  const std::size_t size = text.size();
  if (from + kWindow > size) return {.position = size};
  unsigned first = entry(data + from);
  for (; from + kSamples * kHalf + kHalf <= size; from += kSamples * kHalf) {
    unsigned hits = 0;
    unsigned previous = first;
    for (std::size_t i = 1; i <= kSamples; ++i) {
      const unsigned next = entry(data + from + i * kHalf);
      hits |= previous & next >> kSecondHalf;
      previous = next;
    }
    if (hits != 0) break;
    first = previous;
  }
  for (; from + kWindow <= size; from += kHalf) {
    const unsigned next = entry(data + from + kHalf);
    const unsigned groups = first & next >> kSecondHalf;
    if (groups != 0) return {.position = from, .groups = groups};
    first = next;
  }
  return {.position = size};
}

}  // namespace goondan
