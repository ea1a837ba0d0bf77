#include "cli/table.h"

#include <algorithm>

#include "cli/terminal.h"
#include "cli/view_width.h"

namespace goondan::cli {
namespace {

std::string line_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                    Style style) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i == 0 ? "  " : "";
    line += cells[i];
    if (i + 1 == cells.size()) break;
    line += std::string(widths[i] - columns(cells[i]) + 2, ' ');
  }
  return styled(line, style, Stream::Out) + "\n";
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  for (std::string& cell : cells)
    cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& head : heads_)
    widths.push_back(columns(head));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string text = line_of(heads_, widths, Style::Dim);
  for (const auto& row : rows_)
    text += line_of(row, widths, Style::Plain);
  return text;
}

}  // namespace goondan::cli
