#include "schema/pattern.h"

#include <gtest/gtest.h>

namespace goondan::schema {
namespace {

constexpr std::size_t kMemory = std::size_t{4} << 20;

bool found(std::string_view pattern, std::string_view text) {
  const auto compiled = Pattern::compile(pattern, kMemory);
  if (!compiled.ok()) {
    ADD_FAILURE() << pattern << ": " << compiled.error().message;
    return false;
  }
  Budget budget(kCheckBudget);
  return compiled->found_in(text, budget);
}

std::string problem(std::string_view pattern) {
  const auto compiled = Pattern::compile(pattern, kMemory);
  return compiled.ok() ? "" : compiled.error().message;
}

struct Case {
  std::string_view pattern;
  std::string_view matching;
  std::string_view other;
};

void expect_all(std::span<const Case> cases) {
  for (const auto& [pattern, matching, other] : cases) {
    EXPECT_TRUE(found(pattern, matching)) << pattern << " in " << matching;
    EXPECT_FALSE(found(pattern, other)) << pattern << " in " << other;
  }
}

TEST(Pattern, SearchesAnywhereUnlessAnchored) {
  const Case cases[] = {
      {"b", "abc", "ac"},    {"^b", "bc", "ab"}, {"b$", "ab", "b\n"},
      {"^a|b$", "xb", "xa"}, {"^$", "", "\n"},
  };
  expect_all(cases);
}

TEST(Pattern, ReadsTheEscapesOfEcmaScript) {
  const Case cases[] = {
      {"^\\d$", "7", "\u0667"},  // ASCII digits only
      {"^\\w+$", "a_1", "\u00e9"},
      {"^\\s$", "\u00a0", "\u200b"},
      {"^\\s$", "\v", "x"},
      {"^\\S$", "x", "\ufeff"},
      {"^[\\S]$", "\u200b", "\u3000"},
      {"^[^\\S]$", " ", "a"},
      {"^\\cA$", "\x01", "A"},
      {"^\\u0041\\x42$", "AB", "ab"},
      {"^\\ud83d\\udc32$", "\U0001F432", "\U0001F409"},
      {"^\\u{1F432}$", "\U0001F432", "\U0001F409"},
      {"^a\\/b\\-c\\_$", "a/b-c_", "abc"},
      {"^[\\b]$", "\b", "b"},
      {"\\bfoo\\b", "a foo b", "afoob"},
      {"^\\t\\n\\r\\f\\v$", "\t\n\r\f\v", "tnrfv"},
  };
  expect_all(cases);
  EXPECT_TRUE(found("^\\0$", std::string_view("\0", 1)));
}

TEST(Pattern, KnowsUnicodePropertiesByLongAndShortNames) {
  const Case cases[] = {
      {"^\\p{Letter}+$", "군단π", "a1"},
      {"^\\p{L}$", "\u03c0", "1"},
      {"^\\P{Letter}$", "1", "a"},
      {"^\\p{Lu}$", "A", "a"},
      {"^\\p{Script=Greek}$", "\u03c0", "p"},
      {"^\\p{sc=Hang}$", "군", "k"},
      {"^\\p{General_Category=Decimal_Number}$", "\u0667", "x"},
      {"^[\\p{Nd}x]+$", "\u0667x", "y"},
      {"^\\p{ASCII}$", "a", "\u00e9"},
      {"^\\P{ASCII}$", "\u00e9", "a"},
  };
  expect_all(cases);
  for (const char* pattern : {"\\p{Emoji}", "[a\\P{Nope}]", "\\p{Age=3}"}) {
    EXPECT_NE(problem(pattern).find("is not supported; general categories"), std::string::npos)
        << pattern << ": " << problem(pattern);
  }
  EXPECT_NE(problem("\\p{L").find("needs the name"), std::string::npos);
}

TEST(Pattern, ReadsClassesAsEcmaScriptDoes) {
  const Case cases[] = {
      {"^[a[]$", "[", "b"},
      {"^[[:alpha:]]$", ":]", "x"},  // no POSIX classes: a set, then a
                                     // bracket
      {"^[\\w-.]$", "-", ","},
      {"^[a-\\d]$", "-", "b"},
      {"^[a-c-]$", "-", "d"},
      {"^[^]$", "\n", ""},
      {"^[\\]^]$", "^", "a"},
      {"^.$", "x", "\u2028"},
      {"^.$", "\U0001F432", "\r"},
  };
  expect_all(cases);
  EXPECT_FALSE(found("[]", "x"));
}

TEST(Pattern, TakesBracesLiterallyWhereTheyRepeatNothing) {
  const Case cases[] = {
      {"^{a}$", "{a}", "a"},      {"^a{2}$", "aa", "a"},  {"^a{2,}$", "aaa", "a"},
      {"^a{,2}$", "a{,2}", "aa"}, {"^x{y$", "x{y", "xy"},
  };
  expect_all(cases);
}

TEST(Pattern, ReadsNamedGroupsAndLazyRepeats) {
  const Case cases[] = {
      {"^(?<year>\\d{4})-(?<year>\\d\\d)$", "2024-01", "24-01"},
      {"^(?:a|b)+?$", "ab", "c"},
      {"^(a)(b)?$", "a", "b"},
      {"(?i)^abc$", "ABC", "abd"},
  };
  expect_all(cases);
}

TEST(Pattern, RefusesWhatLinearTimeCannotDo) {
  for (const char* pattern : {"(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "^(?!.*secret)"}) {
    EXPECT_NE(problem(pattern).find("lookaround"), std::string::npos) << pattern;
    EXPECT_NE(problem(pattern).find("linear time"), std::string::npos) << pattern;
  }
  for (const char* pattern : {"(a)\\1", "(?<n>a)\\k<n>"}) {
    EXPECT_NE(problem(pattern).find("backreferences"), std::string::npos) << pattern;
  }
}

TEST(Pattern, RefusesWhatIsNoRegularExpression) {
  for (const char* pattern : {"[a", "(a", "a)", "*a", "\\", "\\q", "\\Z", "\\x4", "\\u12", "\\c1",
                              "[z-a]", "\\ud800", "(?<n", "(?P<n>a)", "a{2000}", "\\u{110000}"}) {
    EXPECT_NE(problem(pattern), "") << pattern;
  }
}

TEST(Pattern, LooksThroughALongTextIfItsStatesAreFew) {
  const std::string text(4'000'000, ' ');
  const auto simple = Pattern::compile("\\S", kMemory);
  Budget budget(kCheckBudget);
  EXPECT_FALSE(simple->found_in(text, budget));
  EXPECT_FALSE(budget.exhausted());
}

TEST(Pattern, RefusesALongTextIfEveryByteMayCostMuch) {
  const std::string text(4'000'000, 'a');
  const auto costly = Pattern::compile("(x|[ab]{1,500}){1,2}c", kMemory);
  Budget budget(kCheckBudget);
  EXPECT_FALSE(costly->found_in(text, budget));
  EXPECT_TRUE(budget.exhausted());
}

}  // namespace
}  // namespace goondan::schema
