#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "schema/equal.h"
#include "schema/number.h"
#include "schema/text_hash.h"

namespace goondan::schema {
namespace {

using Duplicate = std::optional<std::pair<std::size_t, std::size_t>>;

constexpr std::size_t kComparedInPairs = 6;
constexpr std::size_t kMaxOnStack = 256;
constexpr std::size_t kBytesPerUnit = 64;

// Different for each kind, so that "" and 0 and [] differ.
constexpr std::uint64_t kNullSalt = 0;
constexpr std::uint64_t kBoolSalt = 1;
constexpr std::uint64_t kNumberSalt = 2;
constexpr std::uint64_t kRealSalt = 3;
constexpr std::uint64_t kTextSalt = 4;
constexpr std::uint64_t kArraySalt = 5;
constexpr std::uint64_t kObjectSalt = 6;

// A real that an integer form can say is hashed as that.
std::uint64_t hash_number(const Number& number) {
  constexpr double kTwoTo64 = 18446744073709551616.0;
  if (number.form == Number::Form::Signed) {
    return hash_mix(kNumberSalt, static_cast<std::uint64_t>(number.integer));
  }
  if (number.form == Number::Form::Unsigned) return hash_mix(kNumberSalt, number.natural);
  const double real = number.real;
  if (!is_integral(real) || real >= kTwoTo64 || real < -kTwoTo64 / 2) {
    return hash_mix(kRealSalt, std::bit_cast<std::uint64_t>(real));
  }
  if (real >= 0) return hash_mix(kNumberSalt, static_cast<std::uint64_t>(real));
  return hash_mix(kNumberSalt, static_cast<std::uint64_t>(static_cast<std::int64_t>(real)));
}

class Hashing {
 public:
  explicit Hashing(Budget& budget) : budget_(budget) {}

  std::uint64_t hash(const Json& value) {
    if (!budget_.charge(1)) return 0;
    if (value.is_number()) return hash_number(number_of(value));
    if (value.is_null()) return hash_mix(kNullSalt, 0);
    if (value.is_bool()) return hash_mix(kBoolSalt, value.get_bool() ? 1 : 0);
    if (value.is_string()) {
      budget_.charge(value.get_string().size() / kBytesPerUnit);
      return hash_text(value.get_string(), kTextSalt);
    }
    return hash_container(value);
  }

 private:
  std::uint64_t hash_container(const Json& value) {
    if (depth_ >= kMaxComparedDepth) {
      budget_.exhaust();
      return 0;
    }
    ++depth_;
    const std::uint64_t result =
        value.is_array() ? hash_array(value.get_array()) : hash_object(value.get_object());
    --depth_;
    return result;
  }

  std::uint64_t hash_array(const JsonArray& array) {
    std::uint64_t result = kArraySalt;
    for (const Json& item : array)
      result = hash_mix(result, hash(item));
    return result;
  }

  // A sum, because the order of members does not count.
  std::uint64_t hash_object(const JsonObject& object) {
    std::uint64_t sum = 0;
    for (const auto& member : object) {
      sum += hash_mix(hash_text(member.key(), kObjectSalt), hash(member.value()));
    }
    return hash_mix(kObjectSalt, sum);
  }

  Budget& budget_;
  std::size_t depth_ = 0;
};

struct Hashed {
  std::uint64_t hash = 0;
  std::size_t index = 0;

  friend auto operator<=>(const Hashed&, const Hashed&) = default;
};

Duplicate find_in_pairs(const JsonArray& array, Budget& budget) {
  for (std::size_t later = 1; later < array.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (equal(array[earlier], array[later], budget)) return std::pair(earlier, later);
    }
  }
  return std::nullopt;
}

// Compares only items whose hashes are equal; those stand together once sorted.
Duplicate find_by_hash(const JsonArray& array, std::span<Hashed> items, Budget& budget) {
  for (std::size_t i = 0; i < array.size(); ++i)
    items[i] = {.hash = hash_value(array[i], budget), .index = i};
  std::sort(items.begin(), items.end());
  for (std::size_t later = 1; later < items.size(); ++later) {
    for (std::size_t earlier = later; earlier-- > 0;) {
      if (items[earlier].hash != items[later].hash || budget.exhausted()) break;
      const std::size_t a = items[earlier].index;
      const std::size_t b = items[later].index;
      if (equal(array[a], array[b], budget)) return std::pair(a, b);
    }
  }
  return std::nullopt;
}

Duplicate find_on_stack(const JsonArray& array, Budget& budget) {
  std::array<Hashed, kMaxOnStack> items;
  return find_by_hash(array, std::span(items).first(array.size()), budget);
}

Duplicate find_on_heap(const JsonArray& array, Budget& budget) {
  std::vector<Hashed> items(array.size());
  return find_by_hash(array, items, budget);
}

}  // namespace

std::uint64_t hash_value(const Json& value, Budget& budget) {
  return Hashing(budget).hash(value);
}

Duplicate find_duplicate(const JsonArray& array, Budget& budget) {
  if (array.size() <= kComparedInPairs) return find_in_pairs(array, budget);
  if (!budget.charge(array.size() * 4)) return std::nullopt;  // the sorting
  return array.size() <= kMaxOnStack ? find_on_stack(array, budget) : find_on_heap(array, budget);
}

}  // namespace goondan::schema
