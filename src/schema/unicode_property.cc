#include "schema/unicode_property.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace goondan::schema {
namespace {

using Name = std::pair<std::string_view, std::string_view>;

constexpr auto kCategories = std::to_array<Name>({
    {"Letter", "L"},
    {"Lowercase_Letter", "Ll"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Titlecase_Letter", "Lt"},
    {"Uppercase_Letter", "Lu"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Close_Punctuation", "Pe"},
    {"Final_Punctuation", "Pf"},
    {"Initial_Punctuation", "Pi"},
    {"Other_Punctuation", "Po"},
    {"Open_Punctuation", "Ps"},
    {"Symbol", "S"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Math_Symbol", "Sm"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Line_Separator", "Zl"},
    {"Paragraph_Separator", "Zp"},
    {"Space_Separator", "Zs"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Format", "Cf"},
    {"Private_Use", "Co"},
});

constexpr auto kScripts = std::to_array<Name>({
    {"Arab", "Arabic"},     {"Armn", "Armenian"}, {"Beng", "Bengali"},  {"Cyrl", "Cyrillic"},
    {"Deva", "Devanagari"}, {"Ethi", "Ethiopic"}, {"Geor", "Georgian"}, {"Grek", "Greek"},
    {"Hang", "Hangul"},     {"Hani", "Han"},      {"Hebr", "Hebrew"},   {"Hira", "Hiragana"},
    {"Kana", "Katakana"},   {"Khmr", "Khmer"},    {"Latn", "Latin"},    {"Mong", "Mongolian"},
    {"Taml", "Tamil"},      {"Telu", "Telugu"},   {"Tibt", "Tibetan"},  {"Zyyy", "Common"},
});

template <std::size_t N>
std::string_view renamed(const std::array<Name, N>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, &Name::first);
  return found == names.end() ? name : found->second;
}

// What can be said without a table of RE2.
std::optional<std::string> spelled_out(std::string_view name, Negated negated) {
  const bool yes = negated == Negated::No;
  if (name == "Any") return yes ? "\\x{0}-\\x{10FFFF}" : "";
  if (name == "ASCII") return yes ? "\\x{0}-\\x{7F}" : "\\x{80}-\\x{10FFFF}";
  if (yes && (name == "LC" || name == "Cased_Letter")) return "\\p{Lu}\\p{Ll}\\p{Lt}";
  return std::nullopt;
}

bool plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

}  // namespace

std::optional<std::string> unicode_property(std::string_view name, Negated negated) {
  if (auto special = spelled_out(name, negated)) return special;
  const std::size_t equals = name.find('=');
  std::string_view value = name;
  if (equals == std::string_view::npos) {
    value = renamed(kCategories, name);
  } else {
    const std::string_view property = name.substr(0, equals);
    const std::string_view given = name.substr(equals + 1);
    if (property == "General_Category" || property == "gc") {
      value = renamed(kCategories, given);
    } else if (property == "Script" || property == "sc") {
      value = renamed(kScripts, given);
    } else {
      return std::nullopt;
    }
  }
  if (!plain(value)) return std::nullopt;
  return std::string(negated == Negated::Yes ? "\\P{" : "\\p{") + std::string(value) + "}";
}

}  // namespace goondan::schema
