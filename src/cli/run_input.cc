#include "cli/run_input.h"

#include <array>
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace goondan::cli {
namespace {

constexpr std::size_t kChunk = 16'384;

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r\v\f") == std::string::npos;
}

}  // namespace

void LineInput::read() {
  std::array<char, kChunk> chunk;
  const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
  if (got > 0) {
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
    end_ = true;
  }
}

std::optional<LineInput::Event> LineInput::next(std::string& line) {
  while (true) {
    const std::size_t at = buffer_.find('\n');
    if (at == std::string::npos && buffer_.size() > kMaxLineBytes) {
      const bool known = std::exchange(skipping_, true);
      buffer_.clear();
      if (!known) return Event::TooLong;
    }
    if (at == std::string::npos && (!end_ || buffer_.empty())) break;
    line = buffer_.substr(0, at);
    buffer_.erase(0, at == std::string::npos ? at : at + 1);
    if (std::exchange(skipping_, false)) continue;
    if (line.size() > kMaxLineBytes) return Event::TooLong;
    if (line.ends_with('\r')) line.pop_back();
    return is_blank(line) ? Event::Blank : Event::Line;
  }
  return end_ ? std::optional(Event::End) : std::nullopt;
}

void TypingEcho::set(Echo echo) {
  if (::isatty(STDIN_FILENO) != 1 || ::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return;
  if (echo == Echo::On) {
    if (before_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &*before_);
    before_.reset();
    return;
  }
  termios now{};
  if (before_ || ::tcgetattr(STDIN_FILENO, &now) != 0) return;
  before_ = now;
  now.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

}  // namespace goondan::cli
