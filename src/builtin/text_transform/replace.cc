#include <algorithm>
#include <optional>

#include "builtin/arguments.h"
#include "builtin/text_transform/finder.h"
#include "builtin/text_transform/handlers.h"
#include "builtin/text_transform/text.h"

namespace goondan::builtin::text_transform {
namespace {

struct Change {
  std::string_view search;
  std::string_view replacement;
  std::size_t max_count;
};

Error too_large() {
  return {.code = ErrorCode::Limit,
          .message = "the replaced text would be larger than " + std::to_string(kMaxResultBytes) +
                     " bytes",
          .suggestion = "Use a shorter 'replacement', or replace in smaller pieces of 'text'."};
}

std::size_t count_matches(std::string_view text, const Change& change) {
  Finder finder(text, change.search);
  std::size_t count = 0;
  while (count < change.max_count && finder.next() != Finder::kNone)
    ++count;
  return count;
}

char* copy(char* to, std::string_view bytes) {
  return std::copy(bytes.begin(), bytes.end(), to);
}

// At least as many bytes as the replaced text has; nothing if that is too many. Only where it grows
// do the matches have to be counted.
std::optional<std::size_t> room_for(std::string_view text, const Change& change) {
  if (change.replacement.size() <= change.search.size()) return text.size();
  const std::size_t growth = change.replacement.size() - change.search.size();
  const std::size_t count = count_matches(text, change);
  if (count > kMaxResultBytes / growth) return std::nullopt;
  return text.size() + count * growth;
}

// Writes into memory that is known to suffice.
JsonObject replaced(std::string_view text, const Change& change, std::size_t room) {
  JsonString result;
  result.reserve(room);
  char* const begin = result.data();
  char* to = begin;
  Finder finder(text, change.search);
  std::size_t done = 0;
  std::size_t count = 0;
  for (; count < change.max_count; ++count) {
    const std::size_t at = finder.next();
    if (at == Finder::kNone) break;
    to = copy(to, text.substr(done, at - done));
    to = copy(to, change.replacement);
    done = at + change.search.size();
  }
  to = copy(to, text.substr(done));
  result.grow(static_cast<std::size_t>(to - begin));
  return {{"original", text}, {"result", std::move(result)}, {"replacements", number_json(count)}};
}

}  // namespace

Result<Json> replace(const Services&, ToolContext&, const JsonObject& input) {
  const CleanText text = GDN_TRY(required_text(input, "text"));
  const CleanText search = GDN_TRY(required_text(input, "search"));
  const CleanText replacement = optional_text(input, "replacement", "");
  const bool all = flag_argument(input, "all").value_or(false);
  const Change change{.search = search.view(),
                      .replacement = replacement.view(),
                      .max_count = all ? std::size_t(-1) : 1};
  const std::optional<std::size_t> room = room_for(text.view(), change);
  if (!room) return too_large();
  return replaced(text.view(), change, *room);
}

}  // namespace goondan::builtin::text_transform
