#include "schema/ecma_pattern.h"

#include <algorithm>
#include <cctype>

#include "schema/ecma_escape.h"

namespace goondan::schema {
namespace {

constexpr std::string_view kNoCharacter = "[^\\x{0}-\\x{10FFFF}]";
constexpr std::string_view kAnyCharacter = "[\\x{0}-\\x{10FFFF}]";
constexpr std::string_view kDot = "[^\\n\\r\\x{2028}\\x{2029}]";

Error pattern_error(std::string message) {
  return {.code = ErrorCode::Schema, .message = std::move(message)};
}

// The length of `{2}`, `{2,}` or `{2,3}` at the beginning of `text`; 0 if it is something else.
std::size_t quantifier_length(std::string_view text) {
  const auto digits = [text](std::size_t from) {
    std::size_t end = from;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0)
      ++end;
    return end - from;
  };
  std::size_t at = 1;
  const std::size_t least = digits(at);
  if (least == 0) return 0;
  at += least;
  if (at < text.size() && text[at] == ',') at += 1 + digits(at + 1);
  return at < text.size() && text[at] == '}' ? at + 1 : 0;
}

class Translation {
 public:
  explicit Translation(std::string_view source) : rest_(source) {}

  Result<TranslatedPattern> run() {
    while (!rest_.empty())
      GDN_TRY(element());
    return TranslatedPattern{.text = std::move(out_), .atoms = atoms_, .has_repeats = has_repeats_};
  }

 private:
  Result<void> element() {
    ++atoms_;  // some elements are none; a bound is enough
    switch (rest_.front()) {
      case '\\':
        rest_.remove_prefix(1);
        return escape();
      case '[':
        rest_.remove_prefix(1);
        return character_class();
      case '(':
        return group();
      case '{':
        return brace();
      default:
        return character();
    }
  }

  Result<void> character() {
    const char32_t c = take_character(rest_);
    switch (c) {
      case '.':
        out_ += kDot;
        break;
      case '^':
        out_ += "\\A";
        break;
      case '$':
        out_ += "\\z";
        break;
      case '*':
      case '+':
      case '?':
      case '|':
      case ')':
        out_ += static_cast<char>(c);
        break;
      default:
        append_literal(out_, c);
    }
    return {};
  }

  Result<void> brace() {
    const std::size_t length = quantifier_length(rest_);
    if (length == 0) return character();
    out_ += rest_.substr(0, length);
    rest_.remove_prefix(length);
    has_repeats_ = true;
    return {};
  }

  Result<void> escape() {
    const Escape escape = GDN_TRY(read_escape(rest_, EscapeIn::Text));
    if (const auto* c = std::get_if<char32_t>(&escape)) append_literal(out_, *c);
    if (const auto* assertion = std::get_if<Assertion>(&escape)) out_ += assertion->text;
    if (const auto* set = std::get_if<CharacterSet>(&escape)) {
      out_ += set->members.empty() ? std::string(kNoCharacter) : "[" + set->members + "]";
    }
    return {};
  }

  // Nobody reads captures, so every group becomes a plain one.
  Result<void> group() {
    if (!rest_.starts_with("(?")) {
      rest_.remove_prefix(1);
      out_ += "(?:";
      return {};
    }
    for (const std::string_view lookaround : {"(?=", "(?!", "(?<=", "(?<!"}) {
      if (rest_.starts_with(lookaround)) {
        return pattern_error("lookaround '" + std::string(lookaround) +
                             "' is not supported: patterns are matched in linear time");
      }
    }
    return special_group();
  }

  Result<void> special_group() {
    for (const std::string_view allowed : {"(?:", "(?i)", "(?i:"}) {
      if (!rest_.starts_with(allowed)) continue;
      out_ += allowed;
      rest_.remove_prefix(allowed.size());
      return {};
    }
    const std::size_t name_end = rest_.find('>');
    if (!rest_.starts_with("(?<") || name_end == std::string_view::npos || name_end == 3) {
      return pattern_error("unknown group syntax '" + std::string(rest_.substr(0, 3)) + "'");
    }
    rest_.remove_prefix(name_end + 1);
    out_ += "(?:";
    return {};
  }

  Result<void> character_class() {
    const bool negated = rest_.starts_with('^');
    if (negated) rest_.remove_prefix(1);
    std::string members;
    while (!rest_.starts_with(']')) {
      if (rest_.empty()) return pattern_error("a '[' has no matching ']'");
      GDN_TRY(class_member(members));
    }
    rest_.remove_prefix(1);
    if (members.empty()) {
      out_ += negated ? kAnyCharacter : kNoCharacter;
    } else {
      out_.append(negated ? "[^" : "[").append(members).append("]");
    }
    return {};
  }

  // One character, one set, or a range of characters.
  Result<void> class_member(std::string& members) {
    const Escape first = GDN_TRY(class_atom());
    if (const auto* set = std::get_if<CharacterSet>(&first)) {
      members += set->members;
      return {};
    }
    append_literal(members, std::get<char32_t>(first));
    if (!rest_.starts_with('-') || rest_.size() < 2 || rest_[1] == ']') return {};
    rest_.remove_prefix(1);
    const Escape last = GDN_TRY(class_atom());
    if (const auto* set = std::get_if<CharacterSet>(&last)) {
      append_literal(members, U'-');  // a range cannot end in a set, so the hyphen is one
      members += set->members;
      return {};
    }
    if (std::get<char32_t>(last) < std::get<char32_t>(first)) {
      return pattern_error("a range in a character class runs backwards");
    }
    members += '-';
    append_literal(members, std::get<char32_t>(last));
    return {};
  }

  Result<Escape> class_atom() {
    if (!rest_.starts_with('\\')) return Escape(take_character(rest_));
    rest_.remove_prefix(1);
    return read_escape(rest_, EscapeIn::Class);
  }

  std::string_view rest_;
  std::string out_;
  std::size_t atoms_ = 0;
  bool has_repeats_ = false;
};

}  // namespace

Result<TranslatedPattern> translate_ecma_pattern(std::string_view source) {
  return Translation(source).run();
}

}  // namespace goondan::schema
