#include "resource/env_file.h"

#include <gtest/gtest.h>

#include "resource/test_folder.h"

namespace goondan {
namespace {

using Entries = std::vector<EnvEntry>;

Entries parse(std::string_view text) {
  const Result<Entries> entries = parse_env_file(text, ".env");
  EXPECT_TRUE(entries.ok()) << entries.error().message;
  return entries.ok() ? *entries : Entries{};
}

std::string refused(std::string_view text) {
  const Result<Entries> entries = parse_env_file(text, ".env");
  if (entries.ok()) return "was accepted";
  EXPECT_EQ(entries.error().code, ErrorCode::ConfigParse);
  return entries.error().message;
}

TEST(EnvFile, ReadsNamesValuesCommentsAndExport) {
  EXPECT_EQ(parse("\xEF\xBB\xBF# keys\r\nA=1\r\n\n  export B = two words  # said\nC=\nD=a#b\nE=#x"),
            (Entries{{"A", "1"}, {"B", "two words"}, {"C", ""}, {"D", "a#b"}, {"E", ""}}));
}

TEST(EnvFile, TakesSingleQuotesAsTheyAreAndEscapesInDoubleOnes) {
  EXPECT_EQ(
      parse("A='a \\n $B # c'\nB=\"x\\ny \\\"q\\\" \\$A \\z\" # note\nC='one\ntwo'\nD=4"),
      (Entries{{"A", "a \\n $B # c"}, {"B", "x\ny \"q\" $A \\z"}, {"C", "one\ntwo"}, {"D", "4"}}));
}

TEST(EnvFile, ExpandsNothing) {
  EXPECT_EQ(parse("A=$HOME/`id`/$(id)\nexported=1"),
            (Entries{{"A", "$HOME/`id`/$(id)"}, {"exported", "1"}}));
}

TEST(EnvFile, NamesTheLineThatIsWrongAndNeverShowsIt) {
  EXPECT_EQ(refused("A=1\nsecret value"), ".env:2: the line has no '=' after 'secret'");
  EXPECT_EQ(refused("\n\n1A=2"), ".env:3: the line does not begin with the name of a variable");
  EXPECT_EQ(refused("A='x\ny\nB=1"), ".env:1: the line begins a value in quotes that does not end");
  EXPECT_EQ(refused("A=\"x\" y"), ".env:1: the line goes on after the closing quote");
  EXPECT_EQ(refused(std::string_view("A=\0", 3)), ".env: holds a NUL byte; it is no text");
}

TEST(EnvFile, AFileThatIsNotThereIsEmptyOrAnError) {
  const test::TestFolder folder;
  folder.write(".env", "A=1");
  EXPECT_EQ(*load_env_file(folder.path() / ".env", Absent::Error), (Entries{{"A", "1"}}));
  EXPECT_TRUE(load_env_file(folder.path() / "none", Absent::Empty)->empty());
  EXPECT_EQ(load_env_file(folder.path() / "none", Absent::Error).error().code,
            ErrorCode::ConfigFileNotFound);
}

}  // namespace
}  // namespace goondan
