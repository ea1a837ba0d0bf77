// Columns of text for people.
#pragma once

#include <string>
#include <vector>

namespace goondan::cli {

// A value. Cells are made printable; the columns are as wide as what is in them.
class Table {
 public:
  explicit Table(std::vector<std::string> heads) : heads_(std::move(heads)) {}

  void add(std::vector<std::string> cells);  // as many as there are heads
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  // Two spaces before each line, the heads dim, no space at the ends of lines.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> heads_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace goondan::cli
