// Numbers of JSON compared and divided exactly, whichever of the three forms they are kept in.
#pragma once

#include <cstdint>

#include <goondan/json.h>

namespace goondan::schema {

// The value of a JSON number. Values of `Unsigned` are those that `Signed` cannot say.
struct Number {
  enum class Form : std::uint8_t { Signed, Unsigned, Real };

  Form form = Form::Signed;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  double real = 0;
};

// `value` must be a number.
Number number_of(const Json& value);

// Negative, zero or positive as `a` is less than, equal to or greater than `b`; NaN is less than
// everything but NaN.
int compare(const Number& a, const Number& b);

// Whether a finite number has no fraction. True for 1.0 and for 1e300.
bool is_integral(double number);

// `digits` times ten to the power of `exponent`.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

// The absolute value in the fewest decimal digits that read back as the same number, which is
// what the writer of 0.01 meant. `number` must be finite.
Decimal decimal_of(const Number& number);

// What `multipleOf` divides by, prepared once.
class Divisor {
 public:
  // `value` must be a number greater than zero.
  explicit Divisor(const Json& value);

  [[nodiscard]] bool divides(const Number& number) const;

 private:
  Number number_;
  Decimal decimal_;
};

}  // namespace goondan::schema
