#include "mcp/line_buffer.h"

namespace goondan::mcp {
namespace {

// An empty buffer keeps at most this much memory.
constexpr std::size_t kKeptBytes = std::size_t{64} << 10;

}  // namespace

void LineBuffer::feed(std::string_view bytes) {
  if (too_long_) return;
  bytes_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  if (bytes_.empty() && bytes_.capacity() > kKeptBytes) bytes_ = std::string();
  bytes_.append(bytes);
}

std::optional<std::string_view> LineBuffer::next() {
  if (too_long_) return {};
  const std::size_t end = bytes_.find('\n', scanned_);
  const std::size_t length = (end == std::string::npos ? bytes_.size() : end) - begin_;
  if (length > limit_) {
    too_long_ = true;
    bytes_ = std::string();
    begin_ = scanned_ = 0;
    return {};
  }
  if (end == std::string::npos) {
    scanned_ = bytes_.size();
    return {};
  }
  std::string_view line(bytes_.data() + begin_, length);
  begin_ = scanned_ = end + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace goondan::mcp
