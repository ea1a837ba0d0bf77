// `Result<T>`: either a value or an `Error`. What a function that can fail returns.
//
// It is `[[nodiscard]]`, so an error cannot be dropped by accident, and `GDN_TRY` passes one on:
//
//   Result<Bundle> load(path) { const std::string text = GDN_TRY(read_file(path)); ... }
//
// A value type; header-only.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <goondan/error.h>

namespace goondan {

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  // Implicit, so that `return value;` and `return Error{...};` both read as they should.
  // NOLINTNEXTLINE(google-explicit-constructor): see above
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): see above
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  // Whatever becomes a value by itself, and text where a value can be made of it: a `Result<Json>`
  // is returned as an object, a number or a `std::string`.
  template <class U>
  requires((std::is_convertible_v<U, T> ||
            (std::is_convertible_v<U, std::string_view> && std::is_constructible_v<T, U>)) &&
           !std::is_convertible_v<U, Error> && !std::is_same_v<std::remove_cvref_t<U>, T> &&
           !std::is_same_v<std::remove_cvref_t<U>, Result>)
      // NOLINTNEXTLINE(google-explicit-constructor): see above
      Result(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // The value; asking a failed result for it is a bug in the caller and stops the process.
  T& value() & { return checked(), std::get<0>(state_); }
  const T& value() const& { return checked(), std::get<0>(state_); }
  T&& value() && { return checked(), std::get<0>(std::move(state_)); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return std::get<1>(state_); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  void checked() const {
    if (ok()) return;
    std::fprintf(stderr, "value() of a failed Result: %s\n", error().message.c_str());
    std::abort();
  }

  std::variant<T, Error> state_;
};

// The result of work that yields nothing: `return {};` on success, an `Error` on failure.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): `return Error{...};` reads as it should
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }

  void value() const& {}
  void value() && {}

  Error& error() & { return *error_; }
  [[nodiscard]] const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace goondan

// The value of a `Result` expression, or a return of its error from the enclosing function. Let it
// be the first thing its statement does: GCC forgets to destroy the finished parts of a value in
// braces, and what `new` has allocated, when the return happens in their middle.
#define GDN_TRY(...)                                                    \
  __extension__({                                                       \
    auto gdn_try_result = (__VA_ARGS__);                                \
    if (!gdn_try_result.ok()) return std::move(gdn_try_result).error(); \
    std::move(gdn_try_result).value();                                  \
  })
