// Secrets after a name: header fields, form fields, members of objects.
#include <algorithm>
#include <array>

#include "base/secret_patterns_matches.h"
#include "base/secret_patterns_text.h"

namespace goondan::patterns {
namespace {

constexpr std::size_t kShortestCredential = 8;
constexpr std::size_t kLongestScheme = 12;

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
  if (!looks_random(run) || is_example(text_of(text, run))) return {};
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

constexpr std::array<std::string_view, 5> kTokenPrefixes{"access", "refresh", "auth", "bot",
                                                         "session"};
constexpr std::array<std::string_view, 5> kSecretPrefixes{"client", "app", "jwt", "signing",
                                                          "webhook"};
constexpr std::array<std::string_view, 2> kAccessKeyPrefixes{"secret", "shared"};

bool is_credential(PatternText& text, const Run& run, std::string_view scheme) {
  constexpr std::size_t kLong = 20;
  const std::string_view value = text_of(text, run);
  if (run.size() < kShortestCredential || is_placeholder(value)) return false;
  // Without a scheme, the name alone does not make a credential of a word.
  if (scheme.empty() && is_wordy(value)) return false;
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
  if (run.size() < kShortest || !looks_random(run) || is_example(text_of(text, run))) return {};
  if (has_mask(text, run.end)) return {};  // it could hide that this is no word
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
  const std::size_t key = skip_key_word(text, anchor.end);
  if (key != 0) return match_password(text, {.begin = anchor.begin, .end = key});
  if (!has_prefix(text.all(), anchor.begin, kSecretPrefixes)) return {};
  return match_assignment(text, anchor);
}

TextRange match_named_api_key(PatternText& text, TextRange anchor) {
  return match_assignment(text, anchor);
}

TextRange match_named_private_key(PatternText& text, TextRange anchor) {
  const std::size_t key = skip_key_word(text, anchor.end);
  if (key == 0) return {};
  const TextRange range = match_assignment(text, {.begin = anchor.begin, .end = key});
  // Keys are numbers; what has a dot is the name of a type.
  const std::string_view value = text.all().substr(range.begin, range.end - range.begin);
  return value.find('.') == value.npos ? range : TextRange{};
}

TextRange match_named_access_key(PatternText& text, TextRange anchor) {
  if (!has_prefix(text.all(), anchor.begin, kAccessKeyPrefixes)) return {};
  return match_assignment(text, anchor);
}

}  // namespace goondan::patterns

namespace goondan {
namespace {

bool names_token(std::string_view field) {
  using namespace patterns;  // NOLINT(google-build-using-namespace): the same room's words
  constexpr std::array<std::string_view, 7> kAlone{
      "api_key", "api-key", "apikey", "privatekey", "private_key", "private-key", "accountkey"};
  constexpr std::array<std::string_view, 3> kAccessKeys{"access_key", "access-key", "accesskey"};
  const auto ends = [field](std::string_view word) { return ends_with_any_case(field, word); };
  if (std::ranges::any_of(kAlone, ends)) return true;
  if (ends("token")) return has_prefix(field, field.size() - 5, kTokenPrefixes);
  if (ends("secret")) return has_prefix(field, field.size() - 6, kSecretPrefixes);
  const auto* const key = std::ranges::find_if(kAccessKeys, ends);
  return key != kAccessKeys.end() &&
         has_prefix(field, field.size() - key->size(), kAccessKeyPrefixes);
}

bool is_token(std::string_view value) {
  using namespace patterns;  // NOLINT(google-build-using-namespace): the same room's words
  PatternText text(value, TextEnd::Final);
  const Run run = read_run(text, 0, kToken, value.size());
  return looks_random(run) && !is_example(text_of(text, run)) &&
         skip_padding(text, run.end) == value.size();
}

}  // namespace

TextRange secret_in_field(std::string_view field, std::string_view value) {
  using namespace patterns;  // NOLINT(google-build-using-namespace): the same room's words
  constexpr std::array<std::string_view, 5> kPasswords{"password", "passwd", "secret_key",
                                                       "secret-key", "secretkey"};
  const auto ends = [field](std::string_view word) { return ends_with_any_case(field, word); };
  const TextRange all{.begin = 0, .end = value.size()};
  if (names_token(field)) return is_token(value) ? all : TextRange{};
  if (std::ranges::any_of(kPasswords, ends)) return is_password(value) ? all : TextRange{};
  if (!ends("cookie")) return {};
  PatternText text(value, TextEnd::Final);
  return find_cookie_values(text, 0);
}

}  // namespace goondan
