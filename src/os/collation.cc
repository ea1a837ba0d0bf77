#include "os/collation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace goondan::os {
namespace {

// After the control characters; letters stand for both cases.
constexpr std::string_view kOrder =
    "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";

constexpr std::array<std::uint8_t, 256> make_weights() {
  std::array<std::uint8_t, 256> weights{};
  for (std::size_t byte = 0; byte < weights.size(); ++byte)
    weights[byte] = static_cast<std::uint8_t>(byte);  // 128 and more: after all of ASCII
  std::uint8_t next = 1;
  for (std::size_t byte = 1; byte < 128; ++byte) {
    if (byte < ' ' || byte == 127) weights[byte] = next++;
  }
  for (const char c : kOrder) {
    weights[static_cast<std::uint8_t>(c)] = next;
    if (c >= 'a' && c <= 'z') weights[static_cast<std::uint8_t>(c - 'a' + 'A')] = next;
    ++next;
  }
  return weights;
}

constexpr std::array<std::uint8_t, 256> kWeights = make_weights();
static_assert(kWeights['z'] < 128 && kWeights['Z'] == kWeights['z']);

// The letters U+00C0 to U+017F without their marks; a star for what is no letter or has no base.
constexpr std::string_view kBaseLetters =
    "AAAAAAACEEEEIIIIDNOOOOO*OUUUUY*saaaaaaaceeeeiiiidnooooo*ouuuuy*y"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkqLlLlLlL"
    "lLlNnNnNn*NnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
constexpr char32_t kFirstLetter = 0xC0;
static_assert(kBaseLetters.size() == 3 * 64);

// Those that count as two letters.
constexpr char second_letter(char32_t letter) {
  switch (letter) {
    case U'\u00C6':  // AE
    case U'\u00E6':
    case U'\u0152':  // OE
    case U'\u0153':
      return 'e';
    case U'\u00DF':  // sharp s
      return 's';
    case U'\u0132':  // IJ
    case U'\u0133':
      return 'j';
    default:
      return 0;
  }
}

std::uint8_t weight(char c) {
  return kWeights[static_cast<std::uint8_t>(c)];
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// What paths are compared by: a letter, or another byte.
struct Unit {
  std::uint8_t weight = 0;  // 0: the end
  std::uint32_t rank = 0;   // among those of the same weight
};

// Plain letters come first, then those with marks by code point; the small one before the other.
Unit unit_of(char base, char32_t letter) {
  const bool upper = is_upper(base);
  const char32_t small = !upper ? letter : letter < 0x100 ? letter + 0x20 : letter + 1;
  return {.weight = weight(base), .rank = static_cast<std::uint32_t>(2 * small + (upper ? 1 : 0))};
}

// Takes a path apart. Bytes that are none of our letters stand for themselves, so that the order of
// other characters is that of their code points.
class Units {
 public:
  explicit Units(std::string_view path) : rest_(path) {}

  Unit next() {
    if (second_.weight != 0) return std::exchange(second_, Unit{});
    if (rest_.empty()) return {};
    if (const char32_t letter = letter_ahead(); letter != 0) return take(letter);
    const char byte = rest_.front();
    rest_.remove_prefix(1);
    return {.weight = weight(byte), .rank = is_upper(byte) ? 1U : 0U};
  }

 private:
  // The letter with a mark that comes next; 0 if none does.
  [[nodiscard]] char32_t letter_ahead() const {
    const auto lead = static_cast<std::uint8_t>(rest_[0]);
    if (lead < 0xC3 || lead > 0xC5 || rest_.size() < 2) return 0;
    const auto last = static_cast<std::uint8_t>(rest_[1]);
    if ((last & 0xC0U) != 0x80U) return 0;
    const char32_t letter = (lead & 0x1FU) << 6U | (last & 0x3FU);
    return kBaseLetters[letter - kFirstLetter] == '*' ? 0 : letter;
  }

  Unit take(char32_t letter) {
    rest_.remove_prefix(2);
    const Unit first = unit_of(kBaseLetters[letter - kFirstLetter], letter);
    if (const char second = second_letter(letter); second != 0)
      second_ = {.weight = weight(second), .rank = first.rank};
    return first;
  }

  std::string_view rest_;
  Unit second_;  // of a letter that counts as two
};

// How many bytes at the beginning are the same and end with a whole unit.
std::size_t common_units(std::string_view a, std::string_view b) {
  const auto count = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const bool split = count > 0 && static_cast<std::uint8_t>(a[count - 1]) >= 0xC0;
  return split ? count - 1 : count;
}

}  // namespace

bool path_less(std::string_view a, std::string_view b) {
  const std::size_t common = common_units(a, b);
  Units units_a(a.substr(common));
  Units units_b(b.substr(common));
  std::optional<bool> less_by_rank;  // at the first place where only the ranks differ
  while (true) {
    const Unit unit_a = units_a.next();
    const Unit unit_b = units_b.next();
    if (unit_a.weight != unit_b.weight) return unit_a.weight < unit_b.weight;
    if (unit_a.weight == 0) return less_by_rank.value_or(false);
    if (!less_by_rank && unit_a.rank != unit_b.rank) less_by_rank = unit_a.rank < unit_b.rank;
  }
}

std::uint64_t path_head(std::string_view path) {
  Units units(path);
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < sizeof head; ++i)
    head = head << 8 | units.next().weight;
  return head;
}

}  // namespace goondan::os
