#include "resource/yaml_parse.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resource/yaml_check.h"

namespace goondan::yaml {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The documents of a text as JSON, and what was reported as `CODE line:column`.
struct Parsed {
  std::vector<std::string> documents;
  std::vector<std::string> problems;
};

Parsed parse(std::string text) {
  const SourceText source({.name = "a.yaml", .text = std::move(text)});
  NodeBudget budget;
  Diagnostics diagnostics;
  const ParsedFile file = parse_file(source, budget, diagnostics);
  Parsed parsed;
  for (const SourceDocument& document : file.documents) {
    parsed.documents.push_back(document.broken ? "broken" : to_text(document.root->to_json()));
  }
  for (const Diagnostic& problem : std::move(diagnostics).take()) {
    parsed.problems.push_back(std::string(wire_code(problem.code)) + " " +
                              std::to_string(problem.position.line) + ":" +
                              std::to_string(problem.position.column));
  }
  EXPECT_EQ(file.complete, parsed.problems.empty() || file.complete);
  return parsed;
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

TEST(Yaml, KeepsTypesAndTheOrderOfKeys) {
  const Parsed parsed = parse("z: 1\na: [true, ~, no, 1.5, '1', \"\\u00e9\"]\nm:\n  x: |\n    b\n");
  EXPECT_THAT(parsed.problems, IsEmpty());
  EXPECT_THAT(
      parsed.documents,
      ElementsAre("{\"z\":1,\"a\":[true,null,\"no\",1.5,\"1\",\"é\"],\"m\":{\"x\":\"b\\n\"}}"));
}

TEST(Yaml, CountsOnlyDocumentsWithContent) {
  EXPECT_THAT(parse("# only a comment\n---\n---\na: 1\n...\n---\n~\n---\nb: 2\n").documents,
              ElementsAre("{\"a\":1}", "{\"b\":2}"));
  EXPECT_THAT(parse("").documents, IsEmpty());
}

TEST(Yaml, ReadsTextWithMarkAndCarriageReturns) {
  EXPECT_THAT(parse("\xEF\xBB\xBF"
                    "a: 1\r\nb: |\r\n  x\r\n  y\r\n")
                  .documents,
              ElementsAre("{\"a\":1,\"b\":\"x\\ny\\n\"}"));
}

TEST(Yaml, PutsTheAnchoredValueInPlaceOfAnAlias) {
  EXPECT_THAT(parse("a: &x {k: [1]}\nb: *x\nc: [*x, *x]\n").documents,
              ElementsAre("{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]},\"c\":[{\"k\":[1]},{\"k\":[1]}]}"));
}

TEST(Yaml, ForgetsAnchorsAtTheEndOfADocument) {
  EXPECT_THAT(parse("a: &x 1\n---\nb: *x\n").problems, ElementsAre("E_CONFIG_PARSE_ERROR 3:4"));
}

TEST(Yaml, AllowsSixtyFourLevelsAndNoMore) {
  EXPECT_THAT(parse(repeated("[", 64) + repeated("]", 64)).problems, IsEmpty());
  EXPECT_THAT(parse(repeated("[", 65) + repeated("]", 65)).problems,
              ElementsAre("E_CONFIG_TOO_DEEP 1:65"));
}

TEST(Yaml, CountsLevelsBehindAliases) {
  std::string text = "a: &a " + repeated("[", 40) + repeated("]", 40) + "\n";
  EXPECT_THAT(parse(text + "b: " + repeated("[", 23) + "*a" + repeated("]", 23) + "\n").problems,
              IsEmpty());
  EXPECT_THAT(parse(text + "b: " + repeated("[", 24) + "*a" + repeated("]", 24) + "\n").problems,
              ElementsAre("E_CONFIG_TOO_DEEP 2:28"));
}

TEST(Yaml, EndsABillionLaughsEarly) {
  std::string text = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const std::string before = "*" + std::string(1, static_cast<char>(c - 1));
    text += std::string(1, c) + ": &" + c + " [" + before + "," + before + "," + before + "," +
            before + "," + before + "]\n";
  }
  EXPECT_THAT(parse(text).problems, ElementsAre(testing::StartsWith("E_CONFIG_ALIAS_LIMIT")));
}

TEST(Yaml, RefusesAnAliasInsideWhatItRepeats) {
  EXPECT_THAT(parse("a: &x [1, *x]\n").problems, ElementsAre("E_CONFIG_ALIAS_LIMIT 1:11"));
}

TEST(Yaml, ReportsEveryRepeatedKeyInSmallAndLargeMappings) {
  EXPECT_THAT(parse("a: 1\n'a': 2\nb: {c: 1, c: 2}\n").problems,
              ElementsAre("E_CONFIG_DUPLICATE_KEY 2:1", "E_CONFIG_DUPLICATE_KEY 3:11"));
  std::string large;
  for (int i = 0; i < 100; ++i)
    large += "k" + std::to_string(i) + ": 1\n";
  EXPECT_THAT(parse(large + "k7: 2\n").problems, ElementsAre("E_CONFIG_DUPLICATE_KEY 101:1"));
}

TEST(Yaml, RefusesKeysThatAreNoText) {
  EXPECT_THAT(parse("? {a: 1}\n: b\n").problems, ElementsAre("E_CONFIG_PARSE_ERROR 1:3"));
  EXPECT_THAT(parse("a: &x k\n*x : b\n").problems, ElementsAre("E_CONFIG_PARSE_ERROR 2:1"));
}

TEST(Yaml, GoesOnWithTheNextDocumentAfterAMistake) {
  const Parsed parsed = parse("a: [1\n---\nb: 2\n---\nc: \"x\n---\nd: 4\n");
  EXPECT_THAT(parsed.problems, ElementsAre("E_CONFIG_PARSE_ERROR 1:4", "E_CONFIG_PARSE_ERROR 5:4"));
  EXPECT_THAT(parsed.documents, ElementsAre("broken", "{\"b\":2}", "broken", "{\"d\":4}"));
}

TEST(Yaml, ReportsPositionsInCodePointsBehindWideText) {
  EXPECT_THAT(parse("이름: 값\n설명: {가: 나, 가: 다}\n").problems,
              ElementsAre("E_CONFIG_DUPLICATE_KEY 2:12"));
  EXPECT_THAT(parse("a: '한글'\nb: @x\n").problems, ElementsAre("E_CONFIG_PARSE_ERROR 2:4"));
}

TEST(Yaml, RefusesBytesThatAreNoText) {
  EXPECT_THAT(parse(std::string("a: b\0c", 6)).problems, ElementsAre("E_CONFIG_PARSE_ERROR 1:5"));
  EXPECT_THAT(parse("ok: 1\nb: \xff\n").problems, ElementsAre("E_CONFIG_PARSE_ERROR 2:4"));
  EXPECT_THAT(parse("a: \xC2\x80\n").problems, ElementsAre("E_CONFIG_PARSE_ERROR 1:4"));
  EXPECT_THAT(parse("a: \xEF\xBF\xBE\n").problems, ElementsAre("E_CONFIG_PARSE_ERROR 1:4"));
  EXPECT_THAT(parse(std::string("\xFF\xFE"
                                "a\0:\0",
                                6))
                  .problems,
              ElementsAre("E_CONFIG_PARSE_ERROR 1:1"));
}

TEST(Yaml, StopsAtTheHundredthDocument) {
  EXPECT_THAT(parse(repeated("---\na: 1\n", 100)).problems, IsEmpty());
  const Parsed parsed = parse(repeated("---\na: 1\n", 5000));
  EXPECT_THAT(parsed.problems, ElementsAre("E_CONFIG_TOO_MANY_DOCUMENTS 201:1"));
  EXPECT_EQ(parsed.documents.size(), 100);
}

TEST(Yaml, GivesUpOnAFileOfBrokenDocuments) {
  EXPECT_LE(parse(repeated("---\n@\n", 100'000)).problems.size(), 201);
}

TEST(Yaml, BoundsTheNumberOfValues) {
  const SourceText source({.name = "a.yaml", .text = "[" + repeated("1,", 100) + "]"});
  NodeBudget budget{.nodes = 50};
  Diagnostics diagnostics;
  const ParsedFile file = parse_file(source, budget, diagnostics);
  EXPECT_FALSE(file.complete);
  EXPECT_EQ(std::move(diagnostics).take().front().code, ErrorCode::ConfigFileTooLarge);
  EXPECT_LE(file.tree.size(), 50);
}

TEST(Yaml, ReadsHostileTextsQuickly) {
  for (const std::string_view piece :
       {"[",    "{",     "- ", "? ",          "&a ",   "!!str ", "*a ", "|\n", "\"\\",       "a: ",
        "{a: ", "- - {", ": ", "%YAML 1.2\n", "---\n", "...\n",  "#",   "\t",  "{a: 1, a: ", "'"}) {
    EXPECT_LE(parse(repeated(piece, (1 << 20) / piece.size())).documents.size(), 101) << piece;
  }
}

TEST(FindDocumentMarker, FindsOnlyWholeLines) {
  EXPECT_EQ(find_document_marker("a\n--- \nb", 0), 2);
  EXPECT_EQ(find_document_marker("---", 0), 0);
  EXPECT_EQ(find_document_marker("a: ---\n----\n ---\n---x\n", 0), std::nullopt);
  EXPECT_EQ(find_document_marker("---\r\n---\n", 1), 5);
}

}  // namespace
}  // namespace goondan::yaml
