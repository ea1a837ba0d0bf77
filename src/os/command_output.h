// What is kept of a stream that may never end: its beginning, its end, and how long it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/redactor.h"

namespace goondan::os {

// Of each stream of a command; half of it the beginning, half of it the end.
inline constexpr std::size_t kMaxKeptBytes = 1'000'000;

// Thread-compatible. Takes no memory until something is written.
class CommandOutput {
 public:
  CommandOutput() = default;
  explicit CommandOutput(std::size_t max_bytes) : half_(max_bytes / 2) {}

  // Where the next bytes may be written, never empty; `add` says how many were.
  std::span<char> room();
  void add(std::size_t count);

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] bool cut() const { return total_ > 2 * half_; }

  // Valid UTF-8: what is not becomes U+FFFD, byte by byte. Between beginning and end of a cut
  // stream stands a line with the number of bytes left out; the cuts split no character.
  [[nodiscard]] std::string text() const { return text_at_cuts(nullptr); }

  // The same, and nothing is shown of a secret that a cut went through.
  [[nodiscard]] std::string text(const Redactor& redactor) const { return text_at_cuts(&redactor); }

 private:
  [[nodiscard]] std::string text_at_cuts(const Redactor* redactor) const;
  [[nodiscard]] std::size_t tail_position() const { return (total_ - half_) % half_; }
  [[nodiscard]] std::string tail() const;

  std::size_t half_ = kMaxKeptBytes / 2;
  std::uint64_t total_ = 0;
  std::unique_ptr<char[]> head_;
  std::unique_ptr<char[]> tail_;  // a ring
};

}  // namespace goondan::os
