// What a server says on its standard error: noted line by line, and the end of it kept for the
// message about the server's own end.
#pragma once

#include <string>
#include <string_view>

#include "mcp/server_log.h"

namespace goondan::mcp {

inline constexpr std::size_t kMaxStderrLine = std::size_t{8} << 10;  // longer ones are broken up
// Of the last lines, in bytes: with what is said around it, it fits into an error.
inline constexpr std::size_t kMaxStderrTail = 800;

// Borrows the log. Thread-compatible.
class StderrLines {
 public:
  explicit StderrLines(ServerLog& log) : log_(log) {}

  void feed(std::string_view bytes);
  // What came without a line end.
  void flush();

  // The last lines; may be empty.
  [[nodiscard]] std::string_view tail() const { return tail_; }

 private:
  void take(std::string_view line);

  ServerLog& log_;
  std::string partial_;
  std::string tail_;
};

}  // namespace goondan::mcp
