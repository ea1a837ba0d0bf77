// Secrets after a name: header fields, form fields, members of objects.
#include <algorithm>
#include <array>

#include "base/secret_patterns_matches.h"
#include "base/secret_patterns_text.h"

namespace goondan::patterns {
namespace {

constexpr std::size_t kMostBlanks = 4;
constexpr std::size_t kShortestCredential = 8;
constexpr std::size_t kLongestScheme = 12;

std::size_t skip_quote(PatternText& text, std::size_t position) {
  if (text.at(position) == '\\') ++position;
  const char c = text.at(position);
  return c == '"' || c == '\'' ? position + 1 : position;
}

// From behind a name to its value, past quotes and `=` or `:`; nothing if no value follows.
std::size_t skip_to_value(PatternText& text, std::size_t position) {
  position = skip_blanks(text, skip_quote(text, position), kMostBlanks);
  if (text.has_any_case(position, "%3d")) return position + 3;
  const char c = text.at(position);
  if (c != '=' && c != ':') return 0;
  return skip_quote(text, skip_blanks(text, position + 1, kMostBlanks));
}

// Whether a call or an index follows: source code that gets a secret from somewhere. What has been
// masked looks like an index, too, so a run that a mask cuts off counts as code.
bool is_code(PatternText& text, std::size_t end) {
  const char next = text.at(end);
  return next == '(' || next == '[';
}

TextRange match_assignment(PatternText& text, TextRange name) {
  const std::size_t value = skip_to_value(text, name.end);
  if (value == 0) return {};
  const Run run = read_run(text, value, kToken, name.begin + kMaxPatternBytes);
  if (!looks_random(run)) return {};
  const std::size_t end = skip_padding(text, run.end);
  if (is_code(text, end)) return {};
  return {.begin = run.begin, .end = end};
}

bool has_prefix(std::string_view text, std::size_t position,
                std::span<const std::string_view> words) {
  std::string_view head = before(text, position);
  if (head.ends_with('_') || head.ends_with('-')) head.remove_suffix(1);
  return std::ranges::any_of(
      words, [head](std::string_view word) { return ends_with_any_case(head, word); });
}

constexpr std::array<std::string_view, 4> kTokenPrefixes{"access", "refresh", "auth", "bot"};
constexpr std::array<std::string_view, 1> kSecretPrefixes{"client"};
constexpr std::array<std::string_view, 1> kAccessKeyPrefixes{"secret"};

bool is_credential(PatternText& text, const Run& run, std::string_view scheme) {
  constexpr std::size_t kLong = 20;
  if (run.size() < kShortestCredential) return false;
  if (run.has(kDigit) || run.size() >= kLong) return true;
  return ends_with_any_case(scheme, "basic") && (run.has(kUpper) || text.at(run.end) == '=');
}

}  // namespace

TextRange match_authorization(PatternText& text, TextRange anchor) {
  const std::size_t limit = anchor.begin + kMaxPatternBytes;
  const std::size_t value = skip_to_value(text, anchor.end);
  if (value == 0) return {};
  Run run = read_run(text, value, kToken, limit);
  std::string_view scheme;
  const bool letters_only = (run.seen & ~(kUpper | kLower | kDash)) == 0;
  const bool blank_follows = (set_of(text.at(run.end)) & kBlank) != 0;
  if (letters_only && blank_follows && run.size() <= kLongestScheme) {
    scheme = text.all().substr(run.begin, run.size());
    run = read_run(text, skip_blanks(text, run.end, kMostBlanks), kToken, limit);
  }
  if (!is_credential(text, run, scheme)) return {};
  const std::size_t end = skip_padding(text, run.end);
  if (is_code(text, end)) return {};
  return {.begin = run.begin, .end = end};
}

TextRange match_bearer(PatternText& text, TextRange anchor) {
  constexpr std::size_t kShortest = 16;
  if (!begins_at(text.all(), anchor.begin, kWord)) return {};
  const std::size_t start = skip_blanks(text, anchor.end, kMostBlanks);
  if (start == anchor.end) return {};
  const Run run = read_run(text, start, kToken, anchor.begin + kMaxPatternBytes);
  if (run.size() < kShortest || !looks_random(run)) return {};
  return {.begin = run.begin, .end = skip_padding(text, run.end)};
}

TextRange match_basic(PatternText& text, TextRange anchor) {
  constexpr std::size_t kShortest = 12;
  if (!begins_at(text.all(), anchor.begin, kWord)) return {};
  const std::size_t start = skip_blanks(text, anchor.end, 1);
  if (start == anchor.end) return {};
  const Run run =
      read_run(text, start, kAlphanumeric | kPlusSlash, anchor.begin + kMaxPatternBytes);
  if (run.size() < kShortest || !run.has(kAlphanumeric)) return {};
  return {.begin = run.begin, .end = skip_padding(text, run.end)};
}

TextRange match_named_token(PatternText& text, TextRange anchor) {
  if (!has_prefix(text.all(), anchor.begin, kTokenPrefixes)) return {};
  return match_assignment(text, anchor);
}

TextRange match_named_secret(PatternText& text, TextRange anchor) {
  if (!has_prefix(text.all(), anchor.begin, kSecretPrefixes)) return {};
  return match_assignment(text, anchor);
}

TextRange match_named_api_key(PatternText& text, TextRange anchor) {
  return match_assignment(text, anchor);
}

TextRange match_named_access_key(PatternText& text, TextRange anchor) {
  if (!has_prefix(text.all(), anchor.begin, kAccessKeyPrefixes)) return {};
  return match_assignment(text, anchor);
}

}  // namespace goondan::patterns

namespace goondan {

bool names_secret(std::string_view field) {
  using namespace patterns;  // NOLINT(google-build-using-namespace): the same room's words
  constexpr std::array<std::string_view, 3> kApiKeys{"api_key", "api-key", "apikey"};
  constexpr std::array<std::string_view, 3> kAccessKeys{"access_key", "access-key", "accesskey"};
  const auto ends = [field](std::string_view word) { return ends_with_any_case(field, word); };
  if (std::ranges::any_of(kApiKeys, ends)) return true;
  if (ends("token")) return has_prefix(field, field.size() - 5, kTokenPrefixes);
  if (ends("secret")) return has_prefix(field, field.size() - 6, kSecretPrefixes);
  const auto* const key = std::ranges::find_if(kAccessKeys, ends);
  return key != kAccessKeys.end() &&
         has_prefix(field, field.size() - key->size(), kAccessKeyPrefixes);
}

bool looks_like_secret_value(std::string_view value) {
  using namespace patterns;  // NOLINT(google-build-using-namespace): the same room's words
  PatternText text(value, TextEnd::Final);
  const Run run = read_run(text, 0, kToken, value.size());
  return looks_random(run) && skip_padding(text, run.end) == value.size();
}

bool is_placeholder(std::string_view value) {
  using namespace patterns;  // NOLINT(google-build-using-namespace): the same room's words
  constexpr std::array<std::string_view, 6> kStarts{"your_", "your-", "example",
                                                    "xxxx",  "${",    "{{"};
  const auto starts = [value](std::string_view word) {
    return ends_with_any_case(value.substr(0, word.size()), word);
  };
  const auto between = [value](char first, char last) {
    return value.starts_with(first) && value.ends_with(last);
  };
  return std::ranges::any_of(kStarts, starts) || between('<', '>') || between('%', '%');
}

}  // namespace goondan
