// A secret text: a token, a code verifier, a record that holds them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace goondan::oauth {

// Kept in memory of its own between guard pages, locked so that it is not swapped or dumped, and
// wiped at the end. There is no copy by accident, no way into a stream or a JSON value: whoever
// needs the text says `reveal()`, and that is what to look for in a review. What the text is copied
// into is not wiped. A moved-from secret is empty. Thread-compatible.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string_view text);
  // Takes the text out of `text`, which is wiped and empty afterwards.
  static Secret taken_from(std::string& text);
  // To be filled through `bytes()`.
  static Secret of_size(std::size_t size);

  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret();

  [[nodiscard]] Secret clone() const { return Secret(reveal()); }
  [[nodiscard]] std::string_view reveal() const { return {text_, size_}; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // Takes as long whatever the first difference is; only the sizes may be told from the time.
  [[nodiscard]] bool same_as(std::string_view other) const;

  // For whoever fills it.
  [[nodiscard]] std::span<char> bytes() { return {text_, size_}; }
  // Keeps the first `size` bytes and wipes the others.
  void shorten(std::size_t size);

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace goondan::oauth
