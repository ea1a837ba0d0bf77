#include "schema/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "schema/text_hash.h"

namespace goondan::schema {
namespace {

using detail::Wide;

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;
constexpr int kMaxWidePower = 19;  // ten to this, times 64 bits, fits 128 bits

template <class T>
int order(T a, T b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int compare_real(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return order(!std::isnan(a), !std::isnan(b));
  return order(a, b);
}

int compare_signed(std::int64_t a, double b) {
  if (std::isnan(b)) return 1;
  if (b >= kTwoTo63) return -1;
  if (b < -kTwoTo63) return 1;
  const double whole = std::trunc(b);
  const int result = order(a, static_cast<std::int64_t>(whole));
  return result != 0 ? result : order(whole, b);
}

int compare_unsigned(std::uint64_t a, double b) {
  if (std::isnan(b) || b < 0) return 1;
  if (b >= kTwoTo64) return -1;
  const double whole = std::trunc(b);
  const int result = order(a, static_cast<std::uint64_t>(whole));
  return result != 0 ? result : order(whole, b);
}

int compare_to_real(const Number& a, double b) {
  switch (a.form) {
    case Number::Form::Signed:
      return compare_signed(a.integer, b);
    case Number::Form::Unsigned:
      return compare_unsigned(a.natural, b);
    case Number::Form::Real:
      return compare_real(a.real, b);
  }
  return 0;
}

Decimal without_trailing_zeros(Decimal decimal) {
  if (decimal.digits == 0) return {};
  while (decimal.digits % 10 == 0) {
    decimal.digits /= 10;
    ++decimal.exponent;
  }
  return decimal;
}

Decimal decimal_of_real(double number) {
  std::array<char, 40> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                     std::fabs(number), std::chars_format::scientific);
  Decimal decimal;
  const char* at = buffer.data();
  int fraction_digits = 0;
  bool in_fraction = false;
  for (; at != written.ptr && *at != 'e'; ++at) {
    if (*at == '.') {
      in_fraction = true;
      continue;
    }
    decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(*at - '0');
    fraction_digits += in_fraction ? 1 : 0;
  }
  if (at != written.ptr) ++at;                // the e
  if (at != written.ptr && *at == '+') ++at;  // from_chars knows no plus
  std::from_chars(at, written.ptr, decimal.exponent);
  decimal.exponent -= fraction_digits;
  return without_trailing_zeros(decimal);
}

std::uint64_t power_of_ten_modulo(int exponent, std::uint64_t modulus) {
  Wide result = 1 % modulus;
  Wide base = 10 % modulus;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base % modulus;
    base = base * base % modulus;
  }
  return static_cast<std::uint64_t>(result);
}

bool divides_decimal(const Decimal& divisor, const Decimal& number) {
  if (number.digits == 0) return true;
  const int shift = number.exponent - divisor.exponent;
  if (shift >= 0) {
    const Wide power = power_of_ten_modulo(shift, divisor.digits);
    return number.digits % divisor.digits * power % divisor.digits == 0;
  }
  if (-shift > kMaxWidePower) return false;
  Wide whole = divisor.digits;
  for (int i = 0; i < -shift; ++i)
    whole *= 10;
  return number.digits % whole == 0;
}

}  // namespace

Number number_of(const Json& value) {
  if (const auto* integer = value.if_int64()) return {.integer = *integer};
  if (const auto* natural = value.if_uint64()) {
    if (*natural <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return {.integer = static_cast<std::int64_t>(*natural)};
    }
    return {.form = Number::Form::Unsigned, .natural = *natural};
  }
  return {.form = Number::Form::Real, .real = value.get_double()};
}

int compare(const Number& a, const Number& b) {
  using Form = Number::Form;
  if (b.form == Form::Real) return compare_to_real(a, b.real);
  if (a.form == Form::Real) return -compare_to_real(b, a.real);
  if (a.form == Form::Signed && b.form == Form::Signed) return order(a.integer, b.integer);
  if (a.form == Form::Unsigned && b.form == Form::Unsigned) return order(a.natural, b.natural);
  return a.form == Form::Signed ? -1 : 1;
}

bool is_integral(double number) {
  return std::isfinite(number) && std::trunc(number) == number;
}

Decimal decimal_of(const Number& number) {
  switch (number.form) {
    case Number::Form::Signed: {
      const auto bits = static_cast<std::uint64_t>(number.integer);
      return without_trailing_zeros({.digits = number.integer < 0 ? 0 - bits : bits});
    }
    case Number::Form::Unsigned:
      return without_trailing_zeros({.digits = number.natural});
    case Number::Form::Real:
      return decimal_of_real(number.real);
  }
  return {};
}

Divisor::Divisor(const Json& value) : number_(number_of(value)), decimal_(decimal_of(number_)) {}

bool Divisor::divides(const Number& number) const {
  using Form = Number::Form;
  if (number.form == Form::Signed && number_.form == Form::Signed) {
    return number.integer % number_.integer == 0;
  }
  if (number.form == Form::Real && !std::isfinite(number.real)) return false;
  return divides_decimal(decimal_, decimal_of(number));
}

}  // namespace goondan::schema
