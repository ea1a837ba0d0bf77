// Finds many exact strings in a text at once.
//
// No form is shorter than eight bytes, so it is enough to look at four bytes at every fifth
// position, or more seldom if all forms are longer: one such window lies at the beginning of each
// occurrence. A bitmap says whether a window belongs to any form; only there, forms are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace goondan {

struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

// A set of 32-bit keys that may say yes wrongly, but never no.
class KeyFilter {
 public:
  explicit KeyFilter(std::size_t expected_keys);

  void add(std::uint32_t key);

  [[nodiscard]] bool may_hold(std::uint32_t key) const {
    const std::uint32_t slot = slot_of(key);
    return (bits_[slot >> 6] >> (slot & 63) & 1) != 0;
  }

 private:
  [[nodiscard]] std::uint32_t slot_of(std::uint32_t key) const {
    return key * 0x9E3779B1U >> shift_;
  }

  int shift_;
  std::vector<std::uint64_t> bits_;
};

// Immutable and thread-safe.
class FormIndex {
 public:
  // `forms` are sorted, different, and none is shorter than `kMinSecretBytes`.
  explicit FormIndex(std::vector<std::string> forms);

  // The first occurrence that begins at `from` or later, the longest of those that begin there;
  // `begin` is past the text if there is none.
  [[nodiscard]] TextRange find(std::string_view text, std::size_t from) const;

  // Whether some form begins with all of `tail`, and is longer.
  [[nodiscard]] bool may_continue(std::string_view tail) const;

  // How much of the beginning of `text` is the end of some form, and not all of it; nothing if it
  // is less than `kMinCutBytes`. Looks through all forms.
  [[nodiscard]] std::size_t end_before(std::string_view text) const;

  [[nodiscard]] std::size_t longest() const { return longest_; }

 private:
  static constexpr std::size_t kWindow = 4;

  static std::uint32_t window_at(const char* text) {
    std::uint32_t key = 0;
    std::memcpy(&key, text, kWindow);
    return key;
  }

  // Whether some form may begin as `text` does.
  [[nodiscard]] bool may_begin(std::string_view text) const {
    return text.size() >= kWindow && starts_.may_hold(window_at(&text[0]));
  }

  [[nodiscard]] std::size_t longest_at(std::string_view text) const;
  [[nodiscard]] std::size_t next_window(std::string_view text, std::size_t position) const;

  std::vector<std::string> forms_;
  std::size_t longest_ = 0;
  std::size_t stride_ = 0;  // from one window that is looked at to the next
  KeyFilter windows_;       // at the first `stride_` offsets of every form
  KeyFilter starts_;        // at offset 0
};

}  // namespace goondan
