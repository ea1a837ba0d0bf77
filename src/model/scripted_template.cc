#include "model/scripted_template.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "base/nearest.h"
#include "model/scripted_script.h"
#include "resource/source_text.h"

namespace goondan::scripted {
namespace {

constexpr std::array<std::string_view, 10> kNames{"input",  "inputs", "output", "outputs", "error",
                                                  "handle", "match",  "turn",   "step",    "tools"};
constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kSpaces = " \t\r\n";

using Steps = std::vector<std::string>;

Error mistake(std::string message, std::string suggestion = {}) {
  return {.code = ErrorCode::Script,
          .message = std::move(message),
          .suggestion = std::move(suggestion)};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

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

// `output.items[0].name` as `output`, `items`, `0`, `name`.
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

// The text before the next reference, and what stands between its braces; the latter is nothing
// after the last. Takes both off `rest`.
struct Cut {
  std::string before = {};
  std::optional<std::string_view> reference = {};
};

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

const Json* item_of(const JsonArray& items, const std::string& step) {
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error != std::errc() || end != step.data() + step.size()) return nullptr;
  const auto size = static_cast<std::int64_t>(items.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) return nullptr;
  return &items[static_cast<std::size_t>(index)];
}

const Json* follow(const JsonObject& scope, const Steps& steps) {
  const Json* value = scope.if_contains(steps.front());
  for (std::size_t i = 1; i < steps.size() && value != nullptr; ++i) {
    if (value->is_array()) {
      value = item_of(value->get_array(), steps[i]);
    } else {
      value = value->is_object() ? value->get_object().if_contains(steps[i]) : nullptr;
    }
  }
  return value;
}

Result<const Json*> look_up(const JsonObject& scope, std::string_view reference) {
  const Steps steps = GDN_TRY(parse_reference(reference));
  const Json* value = follow(scope, steps);
  if (value != nullptr) return value;
  return mistake("the reference " + in_backticks(trimmed(reference)) + " names nothing here",
                 "Look at the result that it goes through, e.g. with `gdn run --json`.");
}

std::string plain_text(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : to_text(value);
}

}  // namespace

std::span<const std::string_view> reference_names() {
  return kNames;
}

Result<void> check_references(std::string_view text) {
  while (!text.empty()) {
    const Cut cut = GDN_TRY(next_cut(text));
    if (cut.reference) GDN_TRY(parse_reference(*cut.reference));
  }
  return {};
}

Result<void> Expander::spend(std::size_t bytes) {
  spent_ += bytes;
  if (spent_ <= kMaxReplyBytes) return {};
  return mistake("the answer would be larger than " + std::to_string(kMaxReplyBytes) + " bytes",
                 "Refer to a smaller part of the results.");
}

Result<std::string> Expander::text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Cut cut = GDN_TRY(next_cut(text));
    GDN_TRY(spend(cut.before.size()));
    out += cut.before;
    if (!cut.reference) break;
    const std::string value = plain_text(*GDN_TRY(look_up(scope_, *cut.reference)));
    GDN_TRY(spend(value.size()));
    out += value;
  }
  return out;
}

Result<Json> Expander::of_text(std::string_view text) {
  std::string_view rest = text;
  const Cut cut = GDN_TRY(next_cut(rest));
  if (!cut.reference || !cut.before.empty() || !rest.empty()) {
    std::string whole = GDN_TRY(this->text(text));
    return Json(std::move(whole));
  }
  const Json* value = GDN_TRY(look_up(scope_, *cut.reference));
  GDN_TRY(spend(to_text(*value).size()));
  return *value;
}

Result<Json> Expander::value(const Json& value) {
  if (value.is_string()) return of_text(value.get_string());
  if (value.is_array()) {
    JsonArray items;
    for (const Json& item : value.get_array()) {
      items.push_back(GDN_TRY(this->value(item)));
    }
    return items;
  }
  if (!value.is_object()) return value;
  JsonObject members;
  for (const auto& [key, member] : value.get_object()) {
    Json expanded = GDN_TRY(this->value(member));
    members.emplace(key, std::move(expanded));
  }
  return members;
}

}  // namespace goondan::scripted
