// Makes lines of the bytes that come from a pipe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace goondan::mcp {

// Thread-compatible. Memory follows what is in the line that is being received.
class LineBuffer {
 public:
  // Longer lines are not kept: see `too_long`.
  explicit LineBuffer(std::size_t limit) : limit_(limit) {}

  void feed(std::string_view bytes);

  // The next whole line, without its end (`\n` or `\r\n`); valid until the next `feed`.
  std::optional<std::string_view> next();

  // A line has grown past the limit. It and what follows is lost.
  [[nodiscard]] bool too_long() const { return too_long_; }

  // What came behind the last line end.
  [[nodiscard]] std::string_view rest() const { return std::string_view(bytes_).substr(begin_); }

 private:
  std::size_t limit_;
  std::string bytes_;
  std::size_t begin_ = 0;    // of what has not been taken
  std::size_t scanned_ = 0;  // no line end before this
  bool too_long_ = false;
};

}  // namespace goondan::mcp
