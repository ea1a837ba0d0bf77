#include "host/mcp/clean_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "host/mcp/hidden_characters.h"

namespace goondan {
namespace {

constexpr std::string_view kCutMark = " ... (cut)";
// A string that an escape sequence carries (a title, a link) is looked for no further than this.
constexpr std::size_t kMaxEscapeBytes = 4096;

char32_t decode(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  char32_t code = byte(0) & (0x7F >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i)
    code = code << 6 | (byte(i) & 0x3F);
  return code;
}

bool between(char c, char first, char last) {
  return c >= first && c <= last;
}

// After ESC [ : parameters, then one final byte.
std::size_t control_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && at < kMaxEscapeBytes && between(text[at], ' ', '?'))
    ++at;
  return at < text.size() && between(text[at], '@', '~') ? at + 1 : 0;
}

// After ESC ] and its like: everything up to BEL or ESC \ on the same line.
std::size_t string_length(std::string_view text) {
  const std::string_view seen = text.substr(0, kMaxEscapeBytes);
  const std::size_t end = seen.find_first_of("\a\x1B\n");
  if (end == std::string_view::npos || seen[end] == '\n') return 0;
  if (seen[end] == '\a') return end + 1;
  return seen.substr(end).starts_with("\x1B\\") ? end + 2 : 0;
}

// The bytes of the escape sequence that `text` begins with, at least the ESC itself.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return 1;
  if (text[1] == '[') {
    const std::size_t length = control_length(text.substr(2));
    return length == 0 ? 1 : 2 + length;
  }
  if (std::string_view("]PX^_").find(text[1]) != std::string_view::npos) {
    const std::size_t length = string_length(text.substr(2));
    return length == 0 ? 1 : 2 + length;
  }
  if (between(text[1], ' ', '/')) return text.size() > 2 && between(text[2], '0', '~') ? 3 : 1;
  return between(text[1], '0', '~') ? 2 : 1;
}

class Cleaner {
 public:
  explicit Cleaner(std::string_view text) : left_(text) { out_.text.reserve(text.size()); }

  CleanText run() {
    while (!left_.empty())
      step();
    return std::move(out_);
  }

 private:
  void step() {
    if (left_.front() == '\x1B') return drop(escape_length(left_));
    if (left_.starts_with("\r\n")) return keep(2, U'\n');
    const std::size_t size = utf8::sequence_length(left_);
    if (size == 0) {
      utf8::append(out_.text, 0xFFFD);
      before_ = 0xFFFD;
      return left_.remove_prefix(1);
    }
    const char32_t code = decode(left_.substr(0, size));
    if (code == 0x85 || code == 0x2028 || code == 0x2029) {
      out_.text += '\n';  // ends a line in some eyes only
      before_ = U'\n';
      return left_.remove_prefix(size);
    }
    wanted(code, size) ? keep(size, code) : drop(size);
  }

  [[nodiscard]] bool wanted(char32_t code, std::size_t size) const {
    switch (visibility_of(code)) {
      case Visibility::Visible:
        return true;
      case Visibility::Hidden:
        return false;
      case Visibility::Variation:
        return has_variants(before_, code);
      case Visibility::Joiner:
        return joins(before_, code_at(size));
    }
    return false;
  }

  [[nodiscard]] char32_t code_at(std::size_t offset) const {
    const std::string_view rest = left_.substr(offset);
    const std::size_t size = utf8::sequence_length(rest);
    return size == 0 ? 0 : decode(rest.substr(0, size));
  }

  void keep(std::size_t size, char32_t code) {
    out_.text += left_.substr(0, size);
    left_.remove_prefix(size);
    before_ = code;
  }

  void drop(std::size_t size) {
    out_.removed += utf8::length(left_.substr(0, size));
    left_.remove_prefix(size);
  }

  std::string_view left_;
  CleanText out_;
  char32_t before_ = 0;  // the last one that was kept
};

bool plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return between(c, ' ', '~') || c == '\n' || c == '\t'; });
}

}  // namespace

CleanText clean_text(std::string_view text) {
  if (plain(text)) return {.text = std::string(text)};
  return Cleaner(text).run();
}

std::string cut_text(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t size = max_bytes - std::min(max_bytes, kCutMark.size());
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80)
    --size;
  text.resize(size);
  return text.append(kCutMark);
}

std::string one_line(std::string_view text, std::size_t max_bytes) {
  std::string line = clean_text(text.substr(0, max_bytes * 2)).text;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  while (line.ends_with(' '))
    line.pop_back();
  return cut_text(std::move(line), max_bytes);
}

}  // namespace goondan
