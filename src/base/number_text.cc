#include "base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace goondan {
namespace {

// JavaScript writes numbers below this power of ten without an exponent, and fractions with up to
// so many zeros after the point.
constexpr int kMaxPlainExponent = 21;
constexpr int kMinPlainExponent = -6;

// The shortest digits that mean `number`, which is `0.DIGITS` times ten to the `exponent`.
struct Decimal {
  std::string digits;
  int exponent;
};

Decimal shortest_decimal(double number) {
  std::array<char, 32> buffer{};
  const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                  std::chars_format::scientific)
                        .ptr;
  const std::string_view text(buffer.data(), end);
  const std::size_t e = text.find('e');
  Decimal decimal{.digits = std::string(1, text.front()), .exponent = 0};
  if (e > 2) decimal.digits += text.substr(2, e - 2);
  const std::size_t sign = text[e + 1] == '+' ? 1 : 0;  // `from_chars` knows no plus
  std::from_chars(text.data() + e + 1 + sign, end, decimal.exponent);
  ++decimal.exponent;
  return decimal;
}

void append_exponent_form(std::string& out, const Decimal& decimal) {
  out += decimal.digits.front();
  if (decimal.digits.size() > 1) out += '.' + decimal.digits.substr(1);
  const int exponent = decimal.exponent - 1;
  out += exponent < 0 ? "e-" : "e+";
  out += std::to_string(std::abs(exponent));
}

void append_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
    return;
  }
  if (number < 0) out += '-';
  const Decimal decimal = shortest_decimal(std::abs(number));
  const int digits = static_cast<int>(decimal.digits.size());
  const int point = decimal.exponent;
  if (number == 0) {
    out += '0';
  } else if (point > kMaxPlainExponent || point < kMinPlainExponent + 1) {
    append_exponent_form(out, decimal);
  } else if (point <= 0) {
    out += "0." + std::string(static_cast<std::size_t>(-point), '0') + decimal.digits;
  } else if (digits <= point) {
    out += decimal.digits + std::string(static_cast<std::size_t>(point - digits), '0');
  } else {
    out += decimal.digits.substr(0, static_cast<std::size_t>(point)) + '.' +
           decimal.digits.substr(static_cast<std::size_t>(point));
  }
}

}  // namespace

void append_number_text(std::string& out, const Json& number) {
  if (number.is_double()) {
    append_double(out, number.get_double());
  } else {
    append_text(out, number);
  }
}

}  // namespace goondan
