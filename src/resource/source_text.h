// The text of one YAML file and the way from a byte of it to a line and a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace goondan {

// A file of the bundle as it was read.
struct SourceFile {
  std::string name;  // relative to the bundle, `/` between parts
  std::string text;
};

// Immutable once built; thread-compatible. Lines end at LF, CR LF or CR, as editors count them.
class SourceText {
 public:
  struct LineColumn {
    std::size_t line = 0;    // 1-based
    std::size_t column = 0;  // 1-based, in code points
  };

  // Takes the file without the byte order mark it may begin with.
  explicit SourceText(SourceFile file);

  [[nodiscard]] const std::string& name() const { return file_.name; }
  [[nodiscard]] std::string_view text() const { return file_.text; }

  // An offset past the end counts as the end.
  [[nodiscard]] LineColumn locate(std::size_t offset) const;

  // The text of a 1-based line, fit to be shown: no line break, cut to `kMaxSourceLine`, and
  // whatever is not printable text replaced by U+FFFD.
  [[nodiscard]] std::string shown_line(std::size_t line) const;

 private:
  [[nodiscard]] std::size_t code_points_before(std::size_t offset) const;

  SourceFile file_;
  std::vector<std::uint32_t> line_starts_;
  // Code points before each block of bytes: a column far into a long line is found quickly.
  std::vector<std::uint32_t> blocks_;
};

// `value` between backticks, cut to `kMaxQuotedCodePoints`, with control characters and ill-formed
// bytes spelled out, so that no value can garble a terminal or a log.
std::string in_backticks(std::string_view value);

}  // namespace goondan
