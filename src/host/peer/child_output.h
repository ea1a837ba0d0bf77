// What a child prints, as lines of valid UTF-8, and the last of them for messages about its end.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace goondan::peer {

inline constexpr std::size_t kMaxLineBytes = std::size_t{8} << 10;  // longer ones are cut
inline constexpr std::size_t kTailLines = 10;
// Fits into an error message as models get it (`kDefaultErrorMessageLimit`).
inline constexpr std::size_t kTailBytes = 768;

// One stream of output. Thread-compatible.
class ChildOutput {
 public:
  using OnLine = std::function<void(std::string line)>;
  explicit ChildOutput(OnLine on_line) : on_line_(std::move(on_line)) {}

  void feed(std::string_view bytes);
  // The rest of the last line, if it had no end.
  void finish();

  // The last lines, together at most `kTailBytes` (and a character).
  [[nodiscard]] std::string tail() const;

 private:
  void end_line();

  OnLine on_line_;
  std::string line_;
  std::size_t dropped_ = 0;  // of the line
  std::deque<std::string> last_;
};

}  // namespace goondan::peer
