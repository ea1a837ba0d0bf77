#include "base/unicode_case.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace goondan::unicode {
namespace {

constexpr char32_t kCodePoints = 0x110000;

std::string of(char32_t code_point) {
  std::string text;
  utf8::append(text, code_point);
  return text;
}

bool is_surrogate(char32_t code_point) {
  return code_point >= 0xD800 && code_point <= 0xDFFF;
}

std::string from_hexadecimal(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// The three words of each line of a file that scripts/make_unicode_tables.py made.
std::vector<std::array<std::string, 3>> read_data(const std::string& name) {
  std::ifstream in(GDN_TEST_DATA "/unicode/" + name);
  std::vector<std::array<std::string, 3>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::array<std::string, 3>& row = rows.emplace_back();
    words >> row[0] >> row[1] >> row[2];
  }
  return rows;
}

// Calls `add` for every code point, and `compare` after each few hundred: a text of many, with
// spaces between them, is mapped as quickly as one.
template <class Add, class Compare>
void for_every_code_point(Add add, Compare compare) {
  constexpr char32_t kTogether = 512;
  for (char32_t c = 0; c < kCodePoints; ++c) {
    if (!is_surrogate(c)) add(c);
    if (c % kTogether == kTogether - 1) compare(std::uint32_t{c});
  }
}

struct Expected {
  std::string upper;
  std::string lower;
};

TEST(UnicodeCase, MapsEveryCodePointAsPythonDoes) {
  std::map<char32_t, Expected> changing;
  for (const auto& [code_point, upper, lower] : read_data("case_mappings.txt")) {
    changing[static_cast<char32_t>(std::stoul(code_point, nullptr, 16))] = {
        from_hexadecimal(upper), from_hexadecimal(lower)};
  }
  ASSERT_GT(changing.size(), 2'500u);
  std::string text;
  Expected expected;
  for_every_code_point(
      [&](char32_t c) {
        const auto found = changing.find(c);
        text += of(c) + " ";
        expected.upper += (found == changing.end() ? of(c) : found->second.upper) + " ";
        expected.lower += (found == changing.end() ? of(c) : found->second.lower) + " ";
      },
      [&](std::uint32_t last) {
        EXPECT_EQ(upper_case(text), expected.upper) << "up to " << last;
        EXPECT_EQ(lower_case(text), expected.lower) << "up to " << last;
        text.clear();
        expected = {};
      });
}

TEST(UnicodeCase, LooksPastWhatIsIgnoredBesideASigma) {
  std::map<char32_t, std::string> classes;
  for (const auto& [first, last, name] : read_data("case_classes.txt")) {
    const auto end = static_cast<char32_t>(std::stoul(last, nullptr, 16));
    for (auto c = static_cast<char32_t>(std::stoul(first, nullptr, 16)); c <= end; ++c)
      classes[c] = name;
  }
  ASSERT_GT(classes.size(), 4'000u);
  std::string text;
  std::string expected;
  for_every_code_point(
      [&](char32_t c) {
        if (c >= 0x20000 && c / 0x10000 != 14) return;  // planes that know neither kind
        const auto found = classes.find(c);
        const std::string_view name = found == classes.end() ? "" : std::string_view(found->second);
        const std::string self = of(c);
        const std::string lower = c == 0x3A3 ? "σ" : std::string(lower_case(self));
        text += "1" + self + "Σ A" + self + "Σ AΣ" + self + "A ";
        expected += "1" + lower + (name == "cased" ? "ς" : "σ");
        expected += " a" + lower + (name.empty() ? "σ" : "ς");
        expected += std::string(" a") + (name.empty() ? "ς" : "σ") + lower + "a ";
      },
      [&](std::uint32_t last) {
        EXPECT_EQ(lower_case(text), expected) << "up to " << last;
        text.clear();
        expected.clear();
      });
}

TEST(UnicodeCase, MapsTextsAsPythonDoes) {
  const auto rows = read_data("case_strings.txt");
  ASSERT_GE(rows.size(), 500u);
  for (const auto& [text, upper, lower] : rows) {
    EXPECT_EQ(upper_case(from_hexadecimal(text)), from_hexadecimal(upper)) << text;
    EXPECT_EQ(lower_case(from_hexadecimal(text)), from_hexadecimal(lower)) << text;
  }
}

TEST(UnicodeCase, LetsALetterBecomeSeveral) {
  EXPECT_EQ(upper_case("straße ﬁn \u0390"), "STRASSE FIN \u0399\u0308\u0301");
  EXPECT_EQ(lower_case("\u0130STANBUL"), "i\u0307stanbul");
}

TEST(UnicodeCase, WritesASigmaAtTheEndOfAWordAsFinal) {
  EXPECT_EQ(lower_case("ΣΑΣ"), "σας");
  EXPECT_EQ(lower_case("ὈΔΥΣΣΕΎΣ ΚΑΙ ΣΊΣΥΦΟΣ."), "ὀδυσσεύς και σίσυφος.");
  EXPECT_EQ(lower_case("Σ"), "σ");
  EXPECT_EQ(lower_case("ΑΣ:\u0301Α"), "ασ:\u0301α");
  EXPECT_EQ(lower_case("ΑΣ:\u0301 Α"), "ας:\u0301 α");
}

// Long texts go through blocks, a buffer and its end; each length is its own case.
TEST(UnicodeCase, MapsTextsOfEveryLengthAlike) {
  std::string text;
  std::string upper;
  for (int i = 0; i < 3'000; ++i) {
    const bool wide = i % 97 > 60;
    text += wide ? "ß" : "m";
    upper += wide ? "SS" : "M";
    ASSERT_EQ(upper_case(text), upper) << i;
  }
}

TEST(UnicodeCase, LeavesAsciiThatIsNoLetterAlone) {
  std::string all;
  for (char c = 0; c < 0x7F; ++c)
    all += c;
  all += '\x7F';
  std::string upper = all;
  std::string lower = all;
  for (char c = 'a'; c <= 'z'; ++c) {
    upper[static_cast<std::size_t>(c)] = static_cast<char>(c - 32);
    lower[static_cast<std::size_t>(c - 32)] = c;
  }
  EXPECT_EQ(upper_case(all), upper);
  EXPECT_EQ(lower_case(all), lower);
}

TEST(UnicodeCase, EndsWithinATextThatIsCutInACharacter) {
  for (const std::string_view text : {"\xC3", "\xE1\xBA", "\xF0\x9D\x90", "\xFF", "Σ\xCE"}) {
    EXPECT_LE(upper_case(text).size(), 8u);
    EXPECT_LE(lower_case(text).size(), 8u);
  }
}

}  // namespace
}  // namespace goondan::unicode
