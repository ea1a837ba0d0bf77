#include <algorithm>
#include <limits>

#include "schema/compiler.h"

namespace goondan::schema {
namespace {

// A copy that does not depend on where the schema keeps its memory.
Json own_copy(const Json& value) {
  return Json(value, boost::json::storage_ptr{});
}

template <class Rules>
std::uint32_t add_to(std::vector<Rules>& table, Rules rules) {
  table.push_back(std::move(rules));
  return static_cast<std::uint32_t>(table.size() - 1);
}

Choices make_choices(std::span<const Json> values) {
  Choices choices;
  std::vector<std::string_view> texts;
  for (const Json& value : values) {
    if (value.is_string()) {
      texts.emplace_back(value.get_string());
    } else {
      choices.others.push_back(static_cast<std::uint32_t>(choices.values.size()));
    }
    choices.values.push_back(own_copy(value));
  }
  choices.texts = NameTable(texts);
  return choices;
}

}  // namespace

bool Compiler::has_any(SiteIndex site, std::initializer_list<KeywordId> ids) const {
  return std::ranges::any_of(
      ids, [this, site](KeywordId id) { return index_.find(site, id) != nullptr; });
}

std::uint64_t Compiler::count(SiteIndex site, KeywordId id, std::uint64_t absent) const {
  const Json* value = index_.find(site, id);
  if (value == nullptr) return absent;
  const Number number = number_of(*value);
  switch (number.form) {
    case Number::Form::Signed:
      return static_cast<std::uint64_t>(number.integer);
    case Number::Form::Unsigned:
      return number.natural;
    case Number::Form::Real:
      break;
  }
  constexpr double kTooLarge = 9e18;
  return number.real < kTooLarge ? static_cast<std::uint64_t>(number.real) : kUnlimited;
}

// An unknown name accepts anything: it is likely one of a later draft or of another notation.
void Compiler::compile_types(Node& node, SiteIndex site) {
  const Json* value = index_.find(site, KeywordId::Type);
  if (value == nullptr) return;
  TypeSet types = kNoType;
  std::string text;
  const auto add = [&](std::string_view name) {
    types = static_cast<TypeSet>(types | find_type(name).value_or(kAnyType));
    text.append(text.empty() ? "" : "|").append(name);
  };
  if (value->is_string()) {
    add(value->get_string());
  } else {
    for (const Json& name : value->get_array())
      add(name.get_string());
  }
  node.types = types;
  if (types != kAnyType) node.type_text = add_to(program_.type_texts, std::move(text));
}

void Compiler::compile_choices(Node& node, SiteIndex site) {
  if (const Json* values = index_.find(site, KeywordId::Enum)) {
    const JsonArray& array = values->get_array();
    node.choices = add_to(program_.choices, make_choices({array.data(), array.size()}));
  }
  if (const Json* value = index_.find(site, KeywordId::Const)) {
    node.constant = add_to(program_.choices, make_choices({value, 1}));
  }
}

void Compiler::compile_numbers(Node& node, SiteIndex site) {
  using enum KeywordId;
  if (!has_any(site, {Minimum, ExclusiveMinimum, Maximum, ExclusiveMaximum, MultipleOf})) return;
  NumberRules rules;
  const auto read = [&](KeywordId id, auto& rule, std::string& text) {
    const Json* value = index_.find(site, id);
    if (value == nullptr) return;
    if constexpr (std::is_same_v<std::decay_t<decltype(rule)>, std::optional<Divisor>>) {
      rule.emplace(*value);
    } else {
      rule = number_of(*value);
    }
    text = to_text(*value);
  };
  read(Minimum, rules.minimum, rules.texts.minimum);
  read(ExclusiveMinimum, rules.exclusive_minimum, rules.texts.exclusive_minimum);
  read(Maximum, rules.maximum, rules.texts.maximum);
  read(ExclusiveMaximum, rules.exclusive_maximum, rules.texts.exclusive_maximum);
  read(MultipleOf, rules.multiple_of, rules.texts.multiple_of);
  node.numbers = add_to(program_.numbers, std::move(rules));
}

void Compiler::compile_strings(Node& node, SiteIndex site) {
  using enum KeywordId;
  if (!has_any(site, {MinLength, MaxLength, KeywordId::Pattern})) return;
  StringRules rules{.min_length = count(site, MinLength, 0),
                    .max_length = count(site, MaxLength, kUnlimited)};
  if (const Json* source = index_.find(site, KeywordId::Pattern)) {
    rules.pattern =
        patterns_.add(source->get_string(), {.site = site, .keyword = KeywordId::Pattern});
  }
  node.strings = add_to(program_.strings, rules);
}

}  // namespace goondan::schema
