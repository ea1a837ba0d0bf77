// Secrets that have a structure of their own: keys in PEM, signed tokens, passwords in URLs.
#include <algorithm>

#include "base/redactor.h"
#include "base/secret_patterns_matches.h"
#include "base/secret_patterns_text.h"

namespace goondan::patterns {
namespace {

constexpr std::string_view kDashes = "-----";

// From behind `-----BEGIN ` or `-----END ` past the dashes of a private key; 0 if it is none.
std::size_t skip_key_label(PatternText& text, std::size_t position) {
  constexpr std::size_t kLongestLabel = 40;
  constexpr std::string_view kPrivateKey = "PRIVATE KEY";
  constexpr std::string_view kBlock = " BLOCK";
  std::size_t end = position;
  while (end < position + kLongestLabel &&
         ((set_of(text.at(end)) & (kUpper | kDigit)) != 0 || text.at(end) == ' '))
    ++end;
  std::string_view label = text.all().substr(position, end - position);
  if (label.ends_with(kBlock)) label.remove_suffix(kBlock.size());
  if (!label.ends_with(kPrivateKey) || !text.has(end, kDashes)) return 0;
  return end + kDashes.size();
}

// Past white space, also where it is written as `\n`.
std::size_t skip_line_ends(PatternText& text, std::size_t position, std::size_t limit) {
  while (position < limit) {
    if ((set_of(text.at(position)) & kBlank) != 0) {
      ++position;
    } else if (text.has(position, "\\n") || text.has(position, "\\r")) {
      position += 2;
    } else {
      break;
    }
  }
  return position;
}

// As far as lines of base64 go.
std::size_t skip_key_lines(PatternText& text, std::size_t position, std::size_t limit) {
  while (position < limit) {
    const char c = text.at(position);
    if ((set_of(c) & (kAlphanumeric | kPlusSlash | kBlank)) == 0 && c != '=' && c != '\\') break;
    ++position;
  }
  return position;
}

// Where the key that began before `position` ends, by its last line or because it is cut off.
std::size_t skip_key_body(PatternText& text, std::size_t position, std::size_t limit) {
  constexpr std::string_view kEnd = "-----END ";
  for (std::size_t i = position; i < limit; ++i) {
    const char c = text.at(i);
    if (c == '\0' || (c == '[' && text.has(i, kRedacted))) break;
    if (c != '-' || !text.has(i, kDashes)) continue;
    const std::size_t end = text.has(i, kEnd) ? skip_key_label(text, i + kEnd.size()) : 0;
    if (end != 0) return end;
    break;
  }
  return skip_key_lines(text, position, limit);
}

struct UserInfo {
  std::size_t colon = 0;
  std::size_t at = 0;
};

UserInfo find_user_info(PatternText& text, std::size_t begin) {
  constexpr std::size_t kLongest = 512;
  constexpr std::string_view kEnds = "/?#\"'`<>\\ \t\r\n";
  UserInfo found;
  for (std::size_t i = begin; i < begin + kLongest; ++i) {
    const char c = text.at(i);
    if (c == '\0' || kEnds.find(c) != kEnds.npos || (c == '[' && text.has(i, kRedacted))) break;
    if (c == ':' && found.colon == 0) found.colon = i;
    if (c == '@' && found.colon != 0) found.at = i;
  }
  return found;
}

}  // namespace

TextRange match_private_key(PatternText& text, TextRange anchor) {
  constexpr std::size_t kShortestLine = 16;
  constexpr std::string_view kEncryptedKey = "Proc-Type:";
  const std::size_t limit = anchor.begin + kMaxPatternBytes;
  const std::size_t label_end = skip_key_label(text, anchor.end);
  if (label_end == 0) return {};
  const std::size_t body = skip_line_ends(text, label_end, limit);
  const Run line = read_run(text, body, kAlphanumeric | kPlusSlash, limit);
  if (line.size() < kShortestLine && !text.has(body, kEncryptedKey)) return {};
  return {.begin = anchor.begin, .end = skip_key_body(text, body, limit)};
}

TextRange match_url_password(PatternText& text, TextRange anchor) {
  constexpr std::string_view kPlaceholderStarts = "${<*[]";
  const UserInfo found = find_user_info(text, anchor.end);
  if (found.at <= found.colon + 1) return {};
  // `scheme://a:b@c` explains what a URL looks like.
  constexpr std::size_t kLetters = 2;
  const std::size_t longest = std::max(found.colon - anchor.end, found.at - found.colon - 1);
  if (longest <= kLetters) return {};
  if (kPlaceholderStarts.find(text.at(found.colon + 1)) != kPlaceholderStarts.npos) return {};
  return {.begin = found.colon + 1, .end = found.at};
}

TextRange match_jwt(PatternText& text, TextRange anchor) {
  constexpr std::size_t kShortestHeader = 12;
  constexpr std::size_t kShortestRest = 20;
  constexpr int kMostParts = 5;
  const std::size_t limit = anchor.begin + kMaxPatternBytes;
  if (!begins_at(text.all(), anchor.begin, kBase64Url)) return {};
  const Run header = read_run(text, anchor.begin, kBase64Url, limit);
  if (header.size() < kShortestHeader) return {};
  std::size_t end = header.end;
  int parts = 1;
  for (std::size_t dot = end; parts < kMostParts && text.at(dot) == '.'; ++parts) {
    const Run part = read_run(text, dot + 1, kBase64Url, limit);
    if (part.size() > 0) end = part.end;
    dot = part.end;
  }
  if (parts < 3 || end - header.end < kShortestRest) return {};
  return {.begin = anchor.begin, .end = end};
}

}  // namespace goondan::patterns
