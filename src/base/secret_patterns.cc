#include "base/secret_patterns.h"

#include <algorithm>
#include <array>

#include "base/secret_patterns_matches.h"
#include "base/secret_patterns_text.h"

namespace goondan {
namespace {

using namespace patterns;  // NOLINT(google-build-using-namespace): the same room's words

// A prefix and at least `Shortest` characters of `Sets`, at the beginning of a word.
template <CharacterSet Sets, std::size_t Shortest, CharacterSet Needs = 0>
TextRange match_prefixed(PatternText& text, TextRange anchor) {
  if (!begins_at(text.all(), anchor.begin, Sets)) return {};
  const Run run = read_run(text, anchor.end, Sets, anchor.begin + kMaxPatternBytes);
  if (run.size() < Shortest || !run.has(Needs) || is_placeholder(text_of(text, run))) return {};
  return {.begin = anchor.begin, .end = run.end};
}

constexpr PatternMatch kSlack = match_prefixed<kAlphanumeric | kDash, 10, kDigit>;
constexpr PatternMatch kGitHub = match_prefixed<kAlphanumeric, 30, kDigit>;
constexpr PatternMatch kStripe = match_prefixed<kAlphanumeric, 20, kDigit>;

constexpr SecretPattern exact(std::string_view anchor, std::string_view window, int offset,
                              std::uint8_t group, PatternMatch match) {
  return {.anchor = anchor,
          .letters = AnchorCase::Exact,
          .window = window,
          .window_offset = offset,
          .group = group,
          .match = match};
}

constexpr SecretPattern word(std::string_view anchor, std::string_view window, int offset,
                             std::uint8_t group, PatternMatch match) {
  return {.anchor = anchor,
          .letters = AnchorCase::Any,
          .window = window,
          .window_offset = offset,
          .group = group,
          .match = match};
}

constexpr std::array kPatterns{
    exact("xoxa-", "xoxa-", 0, 0, kSlack),
    exact("xoxb-", "xoxb-", 0, 0, kSlack),
    exact("xoxc-", "xoxc-", 0, 0, kSlack),
    exact("xoxd-", "xoxd-", 0, 0, match_prefixed<kToken, 20, kDigit>),
    exact("xoxe-", "xoxe-", 0, 0, kSlack),
    exact("xoxo-", "xoxo-", 0, 0, kSlack),
    exact("xoxp-", "xoxp-", 0, 0, kSlack),
    exact("xoxr-", "xoxr-", 0, 0, kSlack),
    exact("xoxs-", "xoxs-", 0, 0, kSlack),
    exact("xapp-", "xapp-", 0, 0, match_prefixed<kAlphanumeric | kDash, 20, kDigit>),
    exact("ghp_", "ghp_?", 0, 0, kGitHub),
    exact("gho_", "gho_?", 0, 0, kGitHub),
    exact("ghu_", "ghu_?", 0, 0, kGitHub),
    exact("ghs_", "ghs_?", 0, 0, kGitHub),
    exact("ghr_", "ghr_?", 0, 0, kGitHub),
    exact("github_pat_", "b_pat", 5, 0, match_prefixed<kWord, 22, kDigit>),
    exact("glpat-", "glpat", 0, 0, match_prefixed<kBase64Url, 20>),
    exact("AKIA", "AKIA?", 0, 0, match_aws_key),
    exact("ASIA", "ASIA?", 0, 0, match_aws_key),
    exact("AIza", "AIza?", 0, 0, match_google_key),
    exact("sk_live_", "_live", 2, 0, kStripe),
    exact("rk_live_", "_live", 2, 0, kStripe),
    exact("npm_", "npm_?", 0, 0, kGitHub),
    exact("gsk_", "gsk_?", 0, 0, match_prefixed<kAlphanumeric, 40, kDigit>),
    exact("ya29.", "ya29.", 0, 0, match_prefixed<kBase64Url, 30, kDigit>),
    exact("pypi-", "pypi-", 0, 0, match_prefixed<kBase64Url, 50, kUpper>),
    exact("dop_v1_", "op_v1", 1, 0, match_prefixed<kAlphanumeric, 40, kDigit>),
    exact("whsec_", "whsec", 0, 0, match_prefixed<kAlphanumeric | kPlusSlash, 24, kDigit>),
    exact("hf_", "?hf_?", -1, 1, match_prefixed<kAlphanumeric, 30, kUpper | kLower>),
    exact("SG.", "?SG.?", -1, 1, match_sendgrid),
    exact("sk-", "?sk-?", -1, 1, match_prefixed<kBase64Url, 20, kDigit>),
    exact("eyJ", "?eyJ?", -1, 1, match_jwt),
    exact("-----BEGIN ", "--BEG", 3, 1, match_private_key),
    exact(":AA", "#:AA?", -1, 1, match_bot_token),
    exact("://", "?://?", -1, 2, match_url_password),
    exact("hooks.slack.com/", "hooks", 0, 2, match_slack_webhook),
    exact("bot", "bot##", 0, 2, match_bot_url),
    word("bearer", "earer", 1, 3, match_bearer),
    word("basic", "basic", 0, 3, match_basic),
    word("authorization", "thori", 2, 3, match_authorization),
    word("token", "token", 0, 3, match_named_token),
    word("cookie", "cooki", 0, 3, match_cookie),
    word("secret", "secre", 0, 3, match_named_secret),
    word("password", "passw", 0, 4, match_password),
    word("passwd", "passw", 0, 4, match_password),
    word("private", "priva", 0, 4, match_named_private_key),
    word("accountkey", "untke", 4, 4, match_named_api_key),
    word("api_key", "pi_ke", 1, 4, match_named_api_key),
    word("api-key", "pi-ke", 1, 4, match_named_api_key),
    word("apikey", "pikey", 1, 4, match_named_api_key),
    word("access_key", "ss_ke", 4, 4, match_named_access_key),
    word("access-key", "ss-ke", 4, 4, match_named_access_key),
    word("accesskey", "sskey", 4, 4, match_named_access_key),
};

// Where each group begins among the patterns, and where the last ends.
constexpr std::array<std::size_t, kPatternGroups + 1> group_borders() {
  std::array<std::size_t, kPatternGroups + 1> borders{};
  for (const SecretPattern& pattern : kPatterns) {
    for (std::size_t after = pattern.group + 1U; after <= kPatternGroups; ++after)
      ++borders[after];
  }
  return borders;
}

constexpr auto kGroupBorders = group_borders();
static_assert(std::ranges::is_sorted(kPatterns, {}, &SecretPattern::group));

}  // namespace

std::span<const SecretPattern> secret_patterns() {
  return kPatterns;
}

std::span<const SecretPattern> secret_patterns(unsigned group) {
  return std::span(kPatterns).subspan(kGroupBorders[group],
                                      kGroupBorders[group + 1] - kGroupBorders[group]);
}

}  // namespace goondan
