// Numbers and texts as bytes, little-endian, each text after its length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace goondan::oauth {

template <class Number>
void put_number(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xff));
}

inline void put_text(std::string& bytes, std::string_view text) {
  put_number(bytes, static_cast<std::uint32_t>(text.size()));
  bytes.append(text);
}

// Takes a number from the front of `bytes`; none if there are too few.
template <class Number>
std::optional<Number> take_number(std::string_view& bytes) {
  if (bytes.size() < sizeof(Number)) return std::nullopt;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  bytes.remove_prefix(sizeof(Number));
  return static_cast<Number>(number);
}

inline std::optional<std::string_view> take_bytes(std::string_view& bytes, std::size_t size) {
  if (bytes.size() < size) return std::nullopt;
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

inline std::optional<std::string_view> take_text(std::string_view& bytes) {
  const auto size = take_number<std::uint32_t>(bytes);
  return size ? take_bytes(bytes, *size) : std::nullopt;
}

// `size`, up to the next multiple of `step`.
constexpr std::size_t padded(std::size_t size, std::size_t step) {
  return (size + step - 1) / step * step;
}

}  // namespace goondan::oauth
