#include "host/peer/child_output.h"

#include <algorithm>

#include "base/utf8.h"

namespace goondan::peer {

void ChildOutput::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    const std::size_t kept = std::min(piece.size(), kMaxLineBytes - line_.size());
    line_ += piece.substr(0, kept);
    dropped_ += piece.size() - kept;
    if (end == std::string_view::npos) return;
    end_line();
    bytes.remove_prefix(end + 1);
  }
}

void ChildOutput::finish() {
  if (!line_.empty()) end_line();
}

void ChildOutput::end_line() {
  if (line_.ends_with('\r')) line_.pop_back();
  std::string text = utf8::repaired(line_);
  if (dropped_ > 0) text += " [" + std::to_string(dropped_) + " more bytes]";
  line_.clear();
  dropped_ = 0;
  if (text.empty()) return;
  last_.push_back(text);
  if (last_.size() > kTailLines) last_.pop_front();
  on_line_(std::move(text));
}

std::string ChildOutput::tail() const {
  std::string text;
  for (const std::string& line : last_)
    text += (text.empty() ? "" : "\n") + line;
  if (text.size() <= kTailBytes) return text;
  std::size_t begin = text.size() - kTailBytes;
  while (begin < text.size() && utf8::sequence_length(std::string_view(text).substr(begin)) == 0)
    ++begin;
  return "..." + text.substr(begin);
}

}  // namespace goondan::peer
