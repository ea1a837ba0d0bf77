#include "changeset/glob.h"

#include <algorithm>

namespace goondan::changeset {
namespace {

// What one step of a pattern takes.
struct GlobPiece {
  enum class Kind { Literal, AnyOne, Class, Star, DoubleStar, Folders } kind = Kind::Literal;
  std::string text = {};  // a literal, or a class with its ranges spelt out
  bool negated = false;
};

std::string_view take_class_body(std::string_view& rest) {
  // The first character belongs to the class even if it is `]`.
  const std::size_t first = rest.starts_with('!') || rest.starts_with('^') ? 1 : 0;
  const std::size_t end = rest.find(']', first + 1);
  if (end == std::string_view::npos) return {};
  const std::string_view body = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return body;
}

// Characters and pairs: `a-z0` becomes `az00`.
GlobPiece class_piece(std::string_view body) {
  GlobPiece piece{.kind = GlobPiece::Kind::Class};
  piece.negated = body.front() == '!' || body.front() == '^';
  if (piece.negated) body.remove_prefix(1);
  for (std::size_t at = 0; at < body.size(); ++at) {
    const bool range = at + 2 < body.size() && body[at + 1] == '-';
    piece.text += body[at];
    piece.text += range ? body[at + 2] : body[at];
    if (range) at += 2;
  }
  return piece;
}

GlobPiece star_piece(std::string_view& rest, char before) {
  if (!rest.starts_with('*')) return {.kind = GlobPiece::Kind::Star};
  rest.remove_prefix(std::min(rest.find_first_not_of('*'), rest.size()));
  if (before != '/' || !rest.starts_with('/')) return {.kind = GlobPiece::Kind::DoubleStar};
  rest.remove_prefix(1);  // `**/` at the beginning of a part: any folders, also none
  return {.kind = GlobPiece::Kind::Folders};
}

std::vector<GlobPiece> pieces_of(std::string_view rest) {
  std::vector<GlobPiece> pieces;
  char before = '/';
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '*') {
      pieces.push_back(star_piece(rest, before));
      before = pieces.back().kind == GlobPiece::Kind::Folders ? '/' : '*';
      continue;
    }
    before = c;
    if (c == '?') {
      pieces.push_back({.kind = GlobPiece::Kind::AnyOne});
    } else if (const std::string_view body = c == '[' ? take_class_body(rest) : ""; !body.empty()) {
      pieces.push_back(class_piece(body));
    } else if (c == '\\' && !rest.empty()) {
      pieces.push_back({.text = std::string(1, rest.front())});
      rest.remove_prefix(1);
    } else {
      pieces.push_back({.text = std::string(1, c)});
    }
  }
  return pieces;
}

bool takes(const GlobPiece& piece, char c) {
  if (piece.kind == GlobPiece::Kind::Literal) return piece.text.front() == c;
  if (c == '/') return false;
  if (piece.kind != GlobPiece::Kind::Class) return true;
  bool in = false;
  for (std::size_t at = 0; at + 1 < piece.text.size(); at += 2)
    in = in || (piece.text[at] <= c && c <= piece.text[at + 1]);
  return in != piece.negated;
}

bool takes_many(const GlobPiece& piece) {
  return piece.kind == GlobPiece::Kind::Star || piece.kind == GlobPiece::Kind::DoubleStar ||
         piece.kind == GlobPiece::Kind::Folders;
}

// `before[i]` says whether the pieces so far take the first `i` characters; the answer says the
// same with `piece` as well.
std::vector<bool> after_piece(const GlobPiece& piece, std::string_view path,
                              const std::vector<bool>& before) {
  std::vector<bool> after(path.size() + 1, false);
  if (!takes_many(piece)) {
    for (std::size_t at = 0; at < path.size(); ++at)
      after[at + 1] = before[at] && takes(piece, path[at]);
    return after;
  }
  bool within = false;  // the piece has begun somewhere before and may go on
  for (std::size_t at = 0; at <= path.size(); ++at) {
    within = within || before[at];
    const bool at_part = at == 0 || path[at - 1] == '/';
    after[at] = piece.kind == GlobPiece::Kind::Folders ? before[at] || (within && at_part) : within;
    if (at < path.size() && path[at] == '/' && piece.kind == GlobPiece::Kind::Star) within = false;
  }
  return after;
}

bool matches_one(const std::optional<std::vector<std::string>>& patterns, const std::string& path) {
  return !patterns || std::ranges::any_of(*patterns, [&](const std::string& pattern) {
    return glob_matches(pattern, path);
  });
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  while (pattern.starts_with("./"))
    pattern.remove_prefix(2);
  std::vector<bool> reached(path.size() + 1, false);
  reached[0] = true;
  for (const GlobPiece& piece : pieces_of(pattern))
    reached = after_piece(piece, path, reached);
  return reached.back();
}

std::vector<std::string> violations(const Policy& policy, const std::vector<std::string>& paths) {
  std::vector<std::string> wrong;
  for (const std::string& path : paths)
    if (!policy.enabled || !matches_one(policy.swarm_files, path) ||
        !matches_one(policy.agent_files, path))
      wrong.push_back(path);
  return wrong;
}

}  // namespace goondan::changeset
