// Keys and tokens of services that have parts, or a fixed length.
#include "base/secret_patterns_matches.h"
#include "base/secret_patterns_text.h"

namespace goondan::patterns {
namespace {

constexpr std::size_t kShortestBotId = 6;
constexpr std::size_t kShortestBotSecret = 30;

// Whether the text goes on like base64, for longer than what may follow a key in a URL. A mask
// could hide that.
bool goes_on_as_base64(PatternText& text, std::size_t position) {
  constexpr std::size_t kLong = 48;
  const Run run = read_run(text, position, kAlphanumeric | kPlusSlash, position + kLong);
  return run.size() == kLong || text.at(run.end) == '[';
}

}  // namespace

// Keys of a fixed length whose characters are those of base64: not what a file looks like in it.
// The identifier of an AWS key may be a part of a path.
TextRange match_aws_key(PatternText& text, TextRange anchor) {
  constexpr std::size_t kRest = 16;
  if (!begins_at(text.all(), anchor.begin, kWord | kPlusSlash)) return {};
  const Run run = read_run(text, anchor.end, kUpper | kDigit, anchor.end + kRest);
  if (run.size() < kRest || (set_of(text.at(run.end)) & kWord) != 0) return {};
  if (goes_on_as_base64(text, run.end)) return {};
  return {.begin = anchor.begin, .end = run.end};
}

TextRange match_google_key(PatternText& text, TextRange anchor) {
  constexpr std::size_t kRest = 35;
  constexpr CharacterSet kBase64 = kBase64Url | kPlusSlash;
  if (!begins_at(text.all(), anchor.begin, kBase64)) return {};
  const Run run = read_run(text, anchor.end, kBase64Url, anchor.end + kRest);
  if (run.size() < kRest || !run.has(kDigit)) return {};
  const char next = text.at(run.end);
  if ((set_of(next) & kBase64) != 0 || next == '=' || next == '[') return {};
  return {.begin = anchor.begin, .end = run.end};
}

// `bot<id>:<secret>`, as in the URLs of Telegram; `bot` stays.
TextRange match_bot_url(PatternText& text, TextRange anchor) {
  if (!begins_at(text.all(), anchor.begin, kWord)) return {};
  const Run id = read_run(text, anchor.end, kDigit, anchor.begin + kMaxPatternBytes);
  if (id.size() < kShortestBotId) return {};
  std::size_t colon_end = id.end;
  if (text.at(id.end) == ':') {
    colon_end += 1;
  } else if (text.has_any_case(id.end, "%3a")) {
    colon_end += 3;
  } else {
    return {};
  }
  const Run secret = read_run(text, colon_end, kBase64Url, anchor.begin + kMaxPatternBytes);
  if (secret.size() < kShortestBotSecret) return {};
  return {.begin = id.begin, .end = secret.end};
}

// `<id>:AA<secret>` alone; the id is public.
TextRange match_bot_token(PatternText& text, TextRange anchor) {
  const std::string_view head = before(text.all(), anchor.begin);
  const std::size_t other = head.find_last_not_of("0123456789");
  const std::size_t digits = head.size() - (other == head.npos ? 0 : other + 1);
  if (digits < kShortestBotId) return {};
  const Run secret = read_run(text, anchor.begin + 1, kBase64Url, anchor.begin + kMaxPatternBytes);
  if (secret.size() < kShortestBotSecret) return {};
  return {.begin = secret.begin, .end = secret.end};
}

TextRange match_slack_webhook(PatternText& text, TextRange anchor) {
  constexpr std::string_view kServices = "services/";
  constexpr std::size_t kShortestId = 8;
  constexpr std::size_t kShortestKey = 16;
  const std::size_t limit = anchor.begin + kMaxPatternBytes;
  if (!text.has(anchor.end, kServices)) return {};
  const std::size_t begin = anchor.end + kServices.size();
  std::size_t position = begin;
  for (const char first : {'T', 'B'}) {
    if (text.at(position) != first) return {};
    const Run id = read_run(text, position, kUpper | kDigit, limit);
    if (id.size() < kShortestId || text.at(id.end) != '/') return {};
    position = id.end + 1;
  }
  const Run key = read_run(text, position, kAlphanumeric, limit);
  if (key.size() < kShortestKey || key.seen == kUpper) return {};  // `XXXXXXXX` in examples
  return {.begin = begin, .end = key.end};
}

TextRange match_sendgrid(PatternText& text, TextRange anchor) {
  constexpr std::size_t kShortestId = 16;
  constexpr std::size_t kShortestSecret = 32;
  const std::size_t limit = anchor.begin + kMaxPatternBytes;
  if (!begins_at(text.all(), anchor.begin, kBase64Url)) return {};
  const Run id = read_run(text, anchor.end, kBase64Url, limit);
  if (id.size() < kShortestId || text.at(id.end) != '.') return {};
  const Run secret = read_run(text, id.end + 1, kBase64Url, limit);
  if (secret.size() < kShortestSecret) return {};
  return {.begin = anchor.begin, .end = secret.end};
}

}  // namespace goondan::patterns
