// Messages from standard input, one in a line.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <termios.h>

namespace goondan::cli {

// The longest line; what is longer is refused. Leaves room in a message between processes.
inline constexpr std::size_t kMaxLineBytes = std::size_t{256} << 10;

// Reads lines without waiting. Thread-compatible.
class LineInput {
 public:
  enum class Event { Line, Blank, TooLong, End };

  // To be called when standard input is readable.
  void read();
  // The next line, or what else has come; nothing: more must be read.
  std::optional<Event> next(std::string& line);
  [[nodiscard]] bool ended() const { return end_; }

 private:
  std::string buffer_;
  bool end_ = false;
  bool skipping_ = false;  // the rest of a line that was too long
};

// Keeps what a person types while something else is shown off the terminal; it is not lost.
// Restores the terminal in the end. Thread-compatible.
class TypingEcho {
 public:
  TypingEcho() = default;
  ~TypingEcho() { set(Echo::On); }
  TypingEcho(const TypingEcho&) = delete;
  TypingEcho& operator=(const TypingEcho&) = delete;

  enum class Echo { Off, On };
  // Does nothing if standard input is no terminal, or belongs to another program at the moment.
  void set(Echo echo);

 private:
  std::optional<termios> before_;  // while it is off
};

}  // namespace goondan::cli
