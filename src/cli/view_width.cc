#include "cli/view_width.h"

#include <algorithm>
#include <span>

#include "base/utf8.h"
#include "cli/view_width_tables.h"

namespace goondan::cli {
namespace {

constexpr char32_t kEmojiSelector = 0xFE0F;
constexpr std::string_view kEllipsis = "…";

struct Character {
  std::string_view bytes;  // with the marks that belong to it
  std::size_t columns = 0;
};

char32_t code_point(std::string_view sequence) {
  const auto byte = [sequence](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(sequence[i]));
  };
  switch (sequence.size()) {
    case 2:
      return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
      return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    case 4:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
             (byte(3) & 0x3F);
    default:
      return byte(0);
  }
}

bool in_table(std::span<const Range> table, char32_t point) {
  const auto after = std::ranges::upper_bound(table, point, {}, &Range::first);
  return after != table.begin() && point <= std::prev(after)->last;
}

std::size_t point_columns(char32_t point) {
  if (point < 0x300) return 1;
  if (in_table(kZeroWidth, point)) return 0;
  return in_table(kWide, point) ? 2 : 1;
}

std::string_view first_sequence(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(utf8::sequence_length(text), 1));
}

// `text` is not empty.
Character first_character(std::string_view text) {
  std::size_t size = first_sequence(text).size();
  std::size_t width = point_columns(code_point(text.substr(0, size)));
  while (size < text.size()) {
    const std::string_view mark = first_sequence(text.substr(size));
    const char32_t point = code_point(mark);
    if (point_columns(point) != 0) break;
    if (point == kEmojiSelector) width = 2;
    size += mark.size();
  }
  return {.bytes = text.substr(0, size), .columns = width};
}

}  // namespace

std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    sum += character.columns;
    text.remove_prefix(character.bytes.size());
  }
  return sum;
}

std::string_view fitting(std::string_view text, std::size_t room) {
  std::size_t size = 0;
  while (size < text.size()) {
    const Character character = first_character(text.substr(size));
    if (character.columns > room) break;
    room -= character.columns;
    size += character.bytes.size();
  }
  return text.substr(0, size);
}

std::string cut_to(std::string_view text, std::size_t room) {
  if (fitting(text, room).size() == text.size()) return std::string(text);
  if (room == 0) return {};
  return std::string(fitting(text, room - 1)) + std::string(kEllipsis);
}

RowBreak first_row(std::string_view line, std::size_t room) {
  std::size_t end = fitting(line, room).size();
  if (end == line.size()) return {.end = end, .next = end};
  if (end == 0) end = first_character(line).bytes.size();  // wider than a row: alone in it
  if (line[end] == ' ') return {.end = end, .next = end + 1};
  const std::size_t space = line.substr(0, end).rfind(' ');
  // A row of nothing but the indent of a line helps nobody.
  if (space == std::string_view::npos || line.find_first_not_of(' ') > space) {
    return {.end = end, .next = end};
  }
  return {.end = space, .next = space + 1};
}

std::vector<std::string> wrapped(std::string_view text, std::size_t room) {
  std::vector<std::string> rows;
  room = std::max<std::size_t>(room, 1);
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    do {
      const RowBreak row = first_row(line, room);
      rows.emplace_back(line.substr(0, row.end));
      line.remove_prefix(row.next);
    } while (!line.empty());
    if (end == text.size()) return rows;
    text.remove_prefix(end + 1);
  }
}

}  // namespace goondan::cli
