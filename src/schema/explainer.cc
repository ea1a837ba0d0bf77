#include "schema/explainer.h"

#include <cmath>

#include "base/utf8.h"
#include "schema/words.h"

namespace goondan::schema {
namespace {

constexpr std::uint64_t kExplainCost = 4;  // more than a plain check of the same node
constexpr std::uint64_t kIssueCost = 50;
constexpr std::size_t kMaxReferences = 8;

std::string got_type(const Json& value) {
  if (value.is_double() && !std::isfinite(value.get_double())) return "a number out of range";
  return std::string(type_name(value));
}

}  // namespace

std::string_view type_text(const Program& program, NodeIndex index) {
  for (std::size_t i = 0; i < kMaxReferences && index != kNone; ++i) {
    const Node& node = program.nodes[index];
    if (node.type_text != kNone) return program.type_texts[node.type_text];
    if (node.in_place == kNone) break;
    index = program.in_place[node.in_place].ref;
  }
  return {};
}

void Explainer::explain(NodeIndex index, const Json& value, const ValuePath& at,
                        Evaluated* evaluated) {
  if (done() || !run_.budget.charge(kExplainCost)) return;
  const Node& node = run_.program.nodes[index];
  if (index == kNothing) {
    add_other(at, "no value is allowed here", "nothing", short_text(value));
  } else if (!accepts(node.types, value)) {
    explain_type(node, value, at);
  } else if (!node.only_types) {
    const Frame frame(run_, node);
    if (!frame.open()) return;
    explain_unevaluated(node, value, at, evaluated);
  }
}

void Explainer::explain_rules(const Node& node, const Json& value, const ValuePath& at,
                              Evaluated* evaluated) {
  const Program& program = run_.program;
  if (node.choices != kNone) explain_choices(program.choices[node.choices], value, at);
  if (node.constant != kNone) explain_choices(program.choices[node.constant], value, at);
  if (value.is_number() && node.numbers != kNone) {
    explain_number(program.numbers[node.numbers], value, at);
  }
  if (value.is_string() && node.strings != kNone) {
    explain_string(program.strings[node.strings], value, at);
  }
  if (value.is_array() && node.arrays != kNone) {
    explain_array(program.arrays[node.arrays], value.get_array(), at, evaluated);
  }
  if (value.is_object() && node.objects != kNone) {
    explain_object(program.objects[node.objects], value, at, evaluated);
  }
  if (node.in_place != kNone) {
    explain_in_place(program.in_place[node.in_place], value, at, evaluated);
  }
}

void Explainer::explain_type(const Node& node, const Json& value, const ValuePath& at) {
  const std::string expected = run_.program.type_texts[node.type_text];
  const std::string got = got_type(value);
  run_.budget.charge(kIssueCost);
  issues_.add({.kind = IssueKind::Type,
               .depth = at.depth,
               .issue = {.path = at.text(),
                         .message = "expected " + expected + " but got " + got,
                         .expected = expected,
                         .got = got}});
}

void Explainer::explain_choices(const Choices& choices, const Json& value, const ValuePath& at) {
  if (validator_.is_choice(choices, value) || !run_.budget.charge(kIssueCost)) return;
  const bool single = choices.values.size() == 1;
  const std::string expected =
      single ? short_text(choices.values.front()) : "one of " + list_text(choices.values);
  FoundIssue found{.kind = IssueKind::Choice,
                   .depth = at.depth,
                   .issue = {.path = at.text(),
                             .message = "value must be " + expected,
                             .expected = expected,
                             .got = short_text(value)},
                   .choices = &choices};
  if (value.is_string()) {
    found.word = value.get_string();
    found.candidates = &choices.texts;
  }
  issues_.add(std::move(found));
}

void Explainer::explain_number(const NumberRules& rules, const Json& value, const ValuePath& at) {
  const Number number = number_of(value);
  const auto say = [&](std::string_view relation, const std::string& limit) {
    const std::string expected = std::string(relation) + " " + limit;
    add_other(at, "value must be " + expected, expected, short_text(value));
  };
  if (rules.minimum && compare(number, *rules.minimum) < 0) {
    say("at least", rules.texts.minimum);
  }
  if (rules.exclusive_minimum && compare(number, *rules.exclusive_minimum) <= 0) {
    say("greater than", rules.texts.exclusive_minimum);
  }
  if (rules.maximum && compare(number, *rules.maximum) > 0) {
    say("at most", rules.texts.maximum);
  }
  if (rules.exclusive_maximum && compare(number, *rules.exclusive_maximum) >= 0) {
    say("less than", rules.texts.exclusive_maximum);
  }
  if (rules.multiple_of && !rules.multiple_of->divides(number)) {
    say("a multiple of", rules.texts.multiple_of);
  }
}

void Explainer::explain_string(const StringRules& rules, const Json& value, const ValuePath& at) {
  const std::string_view text = value.get_string();
  const auto say = [&](std::string_view relation, std::uint64_t limit) {
    const std::string expected =
        std::string(relation) + " " + counted(limit, "character", "characters");
    const std::string got = std::to_string(utf8::length(text));
    add_other(at, "text must have " + expected + " but has " + got, expected, got);
  };
  if (!run_.budget.charge(text.size() / 8)) return;
  if (!long_enough(rules, text)) say("at least", rules.min_length);
  if (!short_enough(rules, text)) say("at most", rules.max_length);
  if (rules.pattern == kNone) return;
  const Pattern& pattern = run_.program.patterns[rules.pattern];
  if (pattern.found_in(text, run_.budget) || run_.budget.exhausted()) return;
  const std::string expected = "text that matches the pattern " + short_plain(pattern.source());
  add_other(at, "text must match the pattern " + short_plain(pattern.source()), expected,
            short_text(value));
}

void Explainer::add_other(const ValuePath& at, std::string message, std::string expected,
                          std::string got) {
  if (!run_.budget.charge(kIssueCost)) return;
  issues_.add({.kind = IssueKind::Other,
               .depth = at.depth,
               .issue = {.path = at.text(),
                         .message = std::move(message),
                         .expected = std::move(expected),
                         .got = std::move(got)}});
}

void Explainer::add_unexpected(const ValuePath& member, const NameTable* names) {
  if (!run_.budget.charge(kIssueCost)) return;
  const bool item = member.kind == ValuePath::Kind::Item;
  FoundIssue found{.kind = IssueKind::Unexpected,
                   .depth = member.depth,
                   .issue = {.path = member.text(),
                             .message = item ? "unexpected item" : "unexpected property",
                             .got = item ? "" : short_quoted(member.key)},
                   .word = member.key};
  if (names != nullptr && names->size() > 0) {
    std::vector<std::string_view> shown;
    shown.reserve(names->size());
    for (std::uint32_t i = 0; i < names->size(); ++i)
      shown.push_back(names->name(i));
    found.issue.expected = "one of " + list_text(shown);
    found.candidates = names;
  }
  issues_.add(std::move(found));
}

}  // namespace goondan::schema
