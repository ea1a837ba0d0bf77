#include "cli/view_stream.h"

#include <algorithm>
#include <iterator>

#include "cli/view_width.h"
#include "cli/view_words.h"

namespace goondan::cli {
void TextStream::append(std::string_view piece) {
  came_ += piece.size();
  pending_ += clean_text(piece);
  if (begun_) return;
  pending_.erase(0, pending_.find_first_not_of('\n'));
  begun_ = !pending_.empty();
}

void TextStream::complete(std::string_view whole) {
  if (whole.size() > came_) append(whole.substr(came_));
}

std::vector<std::string> TextStream::take_rows(std::size_t room) {
  std::vector<std::string> rows;
  const std::size_t end = pending_.rfind('\n');
  if (end != std::string::npos) {
    rows = wrapped(std::string_view(pending_).substr(0, end), room);
    pending_.erase(0, end + 1);
  }
  std::string_view rest = pending_;
  while (true) {
    const RowBreak row = first_row(rest, std::max<std::size_t>(room, 1));
    if (row.end == rest.size()) break;
    rows.emplace_back(rest.substr(0, row.end));
    rest.remove_prefix(row.next);
  }
  pending_.erase(0, pending_.size() - rest.size());
  return rows;
}

std::string TextStream::partial(std::size_t room) const {
  return wrapped(pending_, room).back();
}

std::vector<std::string> TextStream::take_rest(std::size_t room) {
  std::vector<std::string> rows = take_rows(room);
  if (!pending_.empty()) {
    std::vector<std::string> last = wrapped(pending_, room);
    rows.insert(rows.end(), last.begin(), last.end());
    pending_.clear();
  }
  while (!rows.empty() && rows.back().empty())
    rows.pop_back();
  return rows;
}

}  // namespace goondan::cli
