#include "builtin/json_query/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace goondan::builtin::json_query {
namespace {

// So many digits survive the way into a double and back, whatever they are.
constexpr std::size_t kSafeDigits = 15;

template <class Number>
std::optional<Number> read_as(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A number as `0.DIGITS` times ten to the `exponent`, without zeros at either end.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// An exponent that does not fit is beyond any double's; the number is then kept as text.
std::optional<Decimal> read_decimal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  Decimal decimal;
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  if (e < text.size()) {
    std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    const std::optional<std::int32_t> power = read_as<std::int32_t>(exponent);
    if (!power) return std::nullopt;
    decimal.exponent = *power;
  }
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  decimal.exponent += static_cast<std::int64_t>(point);
  decimal.digits = mantissa.substr(0, point);
  if (point < mantissa.size()) decimal.digits += mantissa.substr(point + 1);
  const std::size_t first = decimal.digits.find_first_not_of('0');
  if (first == std::string::npos) return Decimal{};
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  decimal.digits.erase(0, first);
  decimal.exponent -= static_cast<std::int64_t>(first);
  return decimal;
}

bool says_the_same(double number, std::string_view text) {
  if (text.size() <= kSafeDigits && text.find_first_of("eE") == std::string_view::npos) return true;
  std::array<char, 32> buffer{};
  const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                  std::chars_format::scientific)
                        .ptr;
  const std::optional<Decimal> given = read_decimal(text);
  return given && given == read_decimal({buffer.data(), end});
}

}  // namespace

Json number_value(std::string_view text) {
  if (text != "-0") {  // as an integer it would lose its sign
    if (const auto integer = read_as<std::int64_t>(text)) return *integer;
    if (const auto integer = read_as<std::uint64_t>(text)) return *integer;
  }
  const std::optional<double> number = read_as<double>(text);
  if (number && std::isfinite(*number) && says_the_same(*number, text)) return *number;
  return exact_number(text);
}

}  // namespace goondan::builtin::json_query
