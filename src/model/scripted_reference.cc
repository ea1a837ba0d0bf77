#include "model/scripted_reference.h"

#include <array>

#include "base/nearest.h"
#include "resource/source_text.h"

namespace goondan::scripted {
namespace {

constexpr std::array<std::string_view, 10> kNames{"input",  "inputs", "output", "outputs", "error",
                                                  "handle", "match",  "turn",   "step",    "tools"};
constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kSpaces = " \t\r\n";

Error malformed(std::string_view reference) {
  return mistake(in_backticks(reference) + " is not a reference",
                 "Write a name and a path, e.g. `{{output.items[0].name}}`, or `\\{{` for two "
                 "braces that mean themselves.");
}

// Takes `[0]`, `[-1]` or `["any key"]` off the front.
std::optional<std::string> take_bracket(std::string_view& rest) {
  const bool quoted = rest.starts_with("[\"");
  const std::string_view closing = quoted ? "\"]" : "]";
  const std::size_t begin = quoted ? 2 : 1;
  const std::size_t end = rest.find(closing, begin);
  if (end == std::string_view::npos || (end == begin && !quoted)) return std::nullopt;
  std::string step(rest.substr(begin, end - begin));
  rest.remove_prefix(end + closing.size());
  return step;
}

std::optional<std::string> take_name(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of(".[]{}\" \t\r\n"), rest.size());
  if (end == 0) return std::nullopt;
  std::string step(rest.substr(0, end));
  rest.remove_prefix(end);
  return step;
}

std::optional<std::string> take_step(std::string_view& rest) {
  if (rest.starts_with('[')) return take_bracket(rest);
  if (!rest.starts_with('.')) return std::nullopt;
  rest.remove_prefix(1);
  return take_name(rest);
}

}  // namespace

Error mistake(std::string message, std::string suggestion) {
  return {.code = ErrorCode::Script,
          .message = std::move(message),
          .suggestion = std::move(suggestion)};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

Result<Steps> parse_reference(std::string_view reference) {
  std::string_view rest = trimmed(reference);
  std::optional<std::string> step = take_name(rest);
  Steps steps;
  while (step) {
    steps.push_back(std::move(*step));
    if (rest.empty()) break;
    step = take_step(rest);
  }
  if (!step) return malformed(reference);
  if (std::ranges::find(kNames, steps.front()) != kNames.end()) return steps;
  const std::string_view like = nearest(steps.front(), kNames);
  return mistake("the reference " + in_backticks(reference) + " begins with no known name",
                 like.empty() ? "Known are `input`, `output`, `outputs`, `match` and others; see "
                                "docs/scripted-model.md."
                              : "Did you mean " + in_backticks(like) + "?");
}

Result<Cut> next_cut(std::string_view& rest) {
  Cut cut;
  while (true) {
    const std::size_t open = rest.find(kOpen);
    cut.before += rest.substr(0, open);
    if (open == std::string_view::npos) {
      rest = {};
      return cut;
    }
    rest.remove_prefix(open + kOpen.size());
    if (!cut.before.ends_with('\\')) break;
    cut.before.back() = kOpen[0];
    cut.before += kOpen[1];
  }
  const std::size_t close = rest.find(kClose);
  if (close == std::string_view::npos) {
    return mistake("a reference begins with `{{` and never ends",
                   "Close it with `}}`, or write `\\{{` for two braces that mean themselves.");
  }
  cut.reference = rest.substr(0, close);
  rest.remove_prefix(close + kClose.size());
  return cut;
}

Result<void> check_references(std::string_view text) {
  while (!text.empty()) {
    const Cut cut = GDN_TRY(next_cut(text));
    if (cut.reference) GDN_TRY(parse_reference(*cut.reference));
  }
  return {};
}

}  // namespace goondan::scripted
