#include "resource/source_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "resource/limits.h"

namespace goondan {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kBlock = 1024;

bool is_control(unsigned char byte) {
  return byte < 0x20 || byte == 0x7F;
}

// C1 controls, U+0080 to U+009F, are two bytes in UTF-8; some terminals obey them.
bool is_c1_control(std::string_view sequence) {
  return sequence.size() == 2 && sequence[0] == '\xC2' &&
         static_cast<unsigned char>(sequence[1]) < 0xA0;
}

// In well-formed text, which everything before a first ill-formed byte is.
bool starts_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_code_point));
}

std::vector<std::uint32_t> count_blocks(std::string_view text) {
  std::vector<std::uint32_t> blocks{0};
  for (; text.size() >= kBlock; text.remove_prefix(kBlock)) {
    blocks.push_back(blocks.back() +
                     static_cast<std::uint32_t>(count_code_points(text.substr(0, kBlock))));
  }
  return blocks;
}

std::vector<std::uint32_t> find_line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool crlf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\n' || (text[i] == '\r' && !crlf)) {
      starts.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }
  return starts;
}

void append_escaped(std::string& out, std::string_view sequence) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : sequence) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kHex[byte >> 4];
    out += kHex[byte & 0xF];
  }
}

}  // namespace

SourceText::SourceText(SourceFile file) : file_(std::move(file)) {
  if (file_.text.starts_with(kByteOrderMark)) file_.text.erase(0, kByteOrderMark.size());
  line_starts_ = find_line_starts(file_.text);
  blocks_ = count_blocks(file_.text);
}

std::size_t SourceText::code_points_before(std::size_t offset) const {
  const std::size_t block = offset / kBlock;
  return blocks_[block] + count_code_points(text().substr(block * kBlock, offset % kBlock));
}

SourceText::LineColumn SourceText::locate(std::size_t offset) const {
  const std::size_t end = std::min(offset, file_.text.size());
  const auto next = std::ranges::upper_bound(line_starts_, end);
  const std::size_t start = *std::prev(next);
  const auto line = static_cast<std::size_t>(next - line_starts_.begin());
  return {.line = line, .column = code_points_before(end) - code_points_before(start) + 1};
}

std::string SourceText::shown_line(std::size_t line) const {
  if (line == 0 || line > line_starts_.size()) return {};
  const std::size_t start = line_starts_[line - 1];
  // No code point has more than four bytes.
  std::string_view rest = text().substr(start, 4 * kMaxSourceLine);
  rest = utf8::prefix(rest.substr(0, rest.find_first_of("\r\n")), kMaxSourceLine);
  std::string out;
  while (!rest.empty()) {
    const std::size_t length = utf8::sequence_length(rest);
    const std::string_view sequence = rest.substr(0, std::max<std::size_t>(length, 1));
    const bool tab = sequence == "\t";
    const bool hidden = length == 0 || is_c1_control(sequence) ||
                        is_control(static_cast<unsigned char>(sequence.front()));
    out += hidden && !tab ? kReplacement : sequence;
    rest.remove_prefix(sequence.size());
  }
  return out;
}

std::string in_backticks(std::string_view value) {
  std::string_view rest = utf8::prefix(value, kMaxQuotedCodePoints);
  const bool cut = rest.size() < value.size();
  std::string out = "`";
  while (!rest.empty()) {
    const std::size_t length = utf8::sequence_length(rest);
    const std::string_view sequence = rest.substr(0, std::max<std::size_t>(length, 1));
    if (sequence == "\n") {
      out += "\\n";
    } else if (length == 0 || is_c1_control(sequence) ||
               is_control(static_cast<unsigned char>(sequence.front()))) {
      append_escaped(out, sequence);
    } else {
      out += sequence;
    }
    rest.remove_prefix(sequence.size());
  }
  return out + (cut ? "...`" : "`");
}

}  // namespace goondan
