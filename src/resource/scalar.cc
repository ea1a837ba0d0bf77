#include "resource/scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>

namespace goondan::yaml {
namespace {

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

bool all_in(std::string_view text, std::string_view alphabet) {
  return !text.empty() && text.find_first_not_of(alphabet) == std::string_view::npos;
}

bool is_int(std::string_view text) {
  if (text.starts_with("0o")) return all_in(text.substr(2), "01234567");
  if (text.starts_with("0x")) return all_in(text.substr(2), "0123456789abcdefABCDEF");
  const std::string_view digits = without_sign(text);
  return !digits.empty() && count_digits(digits) == digits.size();
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_decimal_float(std::string_view text) {
  std::string_view rest = without_sign(text);
  const std::size_t whole = count_digits(rest);
  rest.remove_prefix(whole);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::size_t fraction = count_digits(rest);
    if (whole == 0 && fraction == 0) return false;
    rest.remove_prefix(fraction);
  } else if (whole == 0) {
    return false;
  }
  if (rest.empty()) return true;
  if (rest.front() != 'e' && rest.front() != 'E') return false;
  const std::string_view exponent = without_sign(rest.substr(1));
  return !exponent.empty() && count_digits(exponent) == exponent.size();
}

bool is_special_float(std::string_view text) {
  return one_of(without_sign(text), {".inf", ".Inf", ".INF"}) ||
         one_of(text, {".nan", ".NaN", ".NAN"});
}

double decimal(std::string_view text) {
  const std::string_view number = text.starts_with('+') ? text.substr(1) : text;
  double value = 0;
  const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), value);
  // `from_chars` does not say whether a number was too large or too small; `strtod` does, but
  // obeys the locale, which matters less out here.
  if (failure == std::errc::result_out_of_range) {
    return std::strtod(std::string(number).c_str(), nullptr);
  }
  return value;
}

// Readers expect the signed type wherever it suffices.
Json whole_number(std::uint64_t value) {
  constexpr std::uint64_t kMaxSigned = std::numeric_limits<std::int64_t>::max();
  if (value <= kMaxSigned) return static_cast<std::int64_t>(value);
  return value;
}

// `digits` in `base`, whatever its length.
Json based_integer(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (failure == std::errc{}) return whole_number(value);
  double big = 0;
  for (const char c : digits) {
    const int digit = is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
    big = big * base + digit;
  }
  return big;
}

Json integer(std::string_view text) {
  if (text.starts_with("0o")) return based_integer(text.substr(2), 8);
  if (text.starts_with("0x")) return based_integer(text.substr(2), 16);
  const std::string_view number = text.starts_with('+') ? text.substr(1) : text;
  const char* const end = number.data() + number.size();
  std::int64_t value = 0;
  if (std::from_chars(number.data(), end, value).ec == std::errc{}) return value;
  std::uint64_t large = 0;
  if (std::from_chars(number.data(), end, large).ec == std::errc{}) return large;
  return decimal(number);
}

}  // namespace

ScalarType plain_scalar_type(std::string_view text) {
  if (one_of(text, {"", "~", "null", "Null", "NULL"})) return ScalarType::Null;
  if (one_of(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) return ScalarType::Bool;
  if (is_int(text)) return ScalarType::Int;
  if (is_decimal_float(text) || is_special_float(text)) return ScalarType::Float;
  return ScalarType::String;
}

bool beyond_json(ScalarType type, std::string_view text) {
  if (type == ScalarType::Float) return is_special_float(text) || !std::isfinite(decimal(text));
  if (type != ScalarType::Int) return false;
  const Json value = integer(text);
  return value.is_double() && !std::isfinite(value.get_double());
}

Json scalar_value(ScalarType type, std::string_view text) {
  switch (type) {
    case ScalarType::Null:
      return nullptr;
    case ScalarType::Bool:
      return text.starts_with('t') || text.starts_with('T');
    case ScalarType::Int:
      return integer(text);
    case ScalarType::Float:
      return decimal(text);
    case ScalarType::String:
      return Json(text);
  }
  return nullptr;
}

}  // namespace goondan::yaml
