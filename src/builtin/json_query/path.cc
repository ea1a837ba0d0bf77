#include "builtin/json_query/path.h"

#include <charconv>

#include "base/white_space.h"

namespace goondan::builtin::json_query {

std::vector<std::string> parse_path(std::string_view path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  std::vector<std::string> segments;
  std::string segment;
  const auto end_segment = [&segments, &segment] {
    if (!segment.empty()) segments.push_back(std::move(segment));
    segment.clear();
  };
  bool in_brackets = false;
  for (const char c : path) {
    if (c == '[' || c == ']') {
      end_segment();
      in_brackets = c == '[';
    } else if (c == '.' && !in_brackets) {
      end_segment();
    } else {
      segment += c;
    }
  }
  end_segment();
  return segments;
}

std::optional<std::size_t> array_position(std::string_view segment) {
  segment = unicode::trim_start(segment);
  const bool negative = segment.starts_with('-');
  if (negative || segment.starts_with('+')) segment.remove_prefix(1);
  std::size_t position = 0;
  const auto [end, problem] =
      std::from_chars(segment.data(), segment.data() + segment.size(), position);
  if (problem == std::errc::invalid_argument) return std::nullopt;
  if (problem == std::errc::result_out_of_range) position = std::size_t(-1);
  if (negative && position != 0) return std::nullopt;
  return position;
}

}  // namespace goondan::builtin::json_query
