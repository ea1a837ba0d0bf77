#include "cli/view_line.h"

#include <algorithm>

#include "cli/view_width.h"

namespace goondan::cli {
namespace {

// Below this a shortened piece says nothing any more.
constexpr std::size_t kLeastColumns = 6;

void append_painted(std::string& out, const std::string& text, Style style, Paint paint) {
  const std::string_view code = paint == Paint::On ? style_code(style) : std::string_view();
  if (text.empty() || code.empty()) {
    out += text;
    return;
  }
  out += code;
  out += text;
  out += "\033[0m";
}

void shorten_first(Line& line, std::size_t room) {
  std::size_t width = line.width();
  for (Span& span : line.spans) {
    if (width <= room) return;
    if (span.cut != Span::Cut::First) continue;
    const std::size_t own = columns(span.text);
    const std::size_t left = own > width - room ? own - (width - room) : 0;
    span.text = left < kLeastColumns ? "" : cut_to(span.text, left);
    width = width - own + columns(span.text);
  }
}

}  // namespace

void Line::add(std::string text, Style style, Span::Cut cut) {
  spans.push_back({.text = std::move(text), .style = style, .cut = cut});
}

std::size_t Line::width() const {
  std::size_t sum = 0;
  for (const Span& span : spans)
    sum += columns(span.text);
  return sum;
}

std::string render(const Line& line, std::size_t room, Paint paint) {
  Line shown = line;
  shorten_first(shown, room);
  const bool cut = shown.width() > room;
  std::string out;
  for (const Span& span : shown.spans) {
    const std::size_t own = columns(span.text);
    if (cut && own >= room) {
      // One column more than there is, so that even a piece that just fits gets the mark of a cut.
      append_painted(out, cut_to(span.text + " ", room), span.style, paint);
      break;
    }
    append_painted(out, span.text, span.style, paint);
    room -= own;
  }
  return out;
}

}  // namespace goondan::cli
