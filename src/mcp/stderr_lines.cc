#include "mcp/stderr_lines.h"

namespace goondan::mcp {

void StderrLines::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t room = kMaxStderrLine - partial_.size();
    const std::size_t taken = std::min(end == std::string_view::npos ? bytes.size() : end, room);
    partial_ += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    if (bytes.empty() && partial_.size() < kMaxStderrLine) return;
    if (!bytes.empty() && bytes.front() == '\n') bytes.remove_prefix(1);
    flush();
  }
}

void StderrLines::flush() {
  if (!partial_.empty()) take(partial_);
  partial_.clear();
}

void StderrLines::take(std::string_view line) {
  while (line.ends_with('\r') || line.ends_with(' '))
    line.remove_suffix(1);
  if (line.empty()) return;
  log_.write(LogLevel::Info, line);
  if (!tail_.empty()) tail_ += '\n';
  tail_ += line;
  if (tail_.size() <= kMaxStderrTail) return;
  // From a whole word on: half of a secret would not be known for one.
  const std::size_t cut = tail_.size() - kMaxStderrTail;
  const std::size_t blank = tail_.find_first_of(" \n", cut - 1);
  tail_.erase(0, blank == std::string::npos ? cut : blank + 1);
}

}  // namespace goondan::mcp
