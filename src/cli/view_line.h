// One line of a view, before it is known how wide the terminal is.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.h"

namespace goondan::cli {

enum class Paint { Off, On };  // colours

// A piece of a line; its text has been made harmless. A value.
struct Span {
  enum class Cut { Last, First };  // First: shortened before all others if the line is too long

  std::string text = {};
  Style style = Style::Plain;
  Cut cut = Cut::Last;
};

// A value. Belongs to one row of the terminal, whatever is in it.
struct Line {
  std::vector<Span> spans = {};

  Line() = default;
  Line(std::initializer_list<Span> parts) : spans(parts) {}
  void add(std::string text, Style style = Style::Plain, Span::Cut cut = Span::Cut::Last);
  [[nodiscard]] std::size_t width() const;
};

// At most `room` columns, no line break.
std::string render(const Line& line, std::size_t room, Paint paint);

}  // namespace goondan::cli
