#include "changeset/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::changeset {
namespace {

struct GlobCase {
  std::string_view pattern;
  std::string_view path;
  bool matches;
};

constexpr GlobCase kGlobCases[] = {
    {"a", "a", true},
    {"a", "b", false},
    {"a", "a/b", false},
    {"", "a", false},
    {"", "", true},
    {"*", "a", true},
    {"*", ".env", true},
    {"*", "a/b", false},
    {"*.yaml", "goondan.yaml", true},
    {"*.yaml", "goondan.yml", false},
    {"*.yaml", "x/goondan.yaml", false},
    {"*.yaml", ".yaml", true},
    {"**", "a", true},
    {"**", "a/b/.c", true},
    {"prompts/**", "prompts/a.md", true},
    {"prompts/**", "prompts/a/b/c.md", true},
    {"prompts/**", "prompts", false},
    {"prompts/**", "promptsx/a", false},
    {"prompts/*", "prompts/a/b", false},
    {"prompts/*", "prompts/.hidden", true},
    {"**/a", "a", true},
    {"**/a", "x/a", true},
    {"**/a", "x/y/a", true},
    {"**/a", "xa", false},
    {"**/*.md", "README.md", true},
    {"**/*.md", "docs/x/README.md", true},
    {"**/*.md", "docs/x/README.mdx", false},
    {"a/**/b", "a/b", true},
    {"a/**/b", "a/x/b", true},
    {"a/**/b", "a/x/y/b", true},
    {"a/**/b", "a/xb", false},
    {"a/**/b", "ab", false},
    {"a/**/**/b", "a/b", true},
    {"a**b", "a/x/b", true},
    {"a**", "a/x/b", true},
    {"**b", "a/x/b", true},
    {"a/***", "a/x/b", true},
    {"?", "a", true},
    {"?", "", false},
    {"?", "ab", false},
    {"a?b", "a/b", false},
    {"a?b", "axb", true},
    {"[abc]", "b", true},
    {"[abc]", "d", false},
    {"[a-c]x", "bx", true},
    {"[a-c]x", "dx", false},
    {"[!a-c]", "d", true},
    {"[!a-c]", "a", false},
    {"[^a-c]", "a", false},
    {"a[!x]b", "a/b", false},
    {"a[/]b", "a/b", false},
    {"[]]", "]", true},
    {"[!]]", "]", false},
    {"[!]]", "a", true},
    {"[a-]", "-", true},
    {"[a", "[a", true},
    {"[", "[", true},
    {"[]", "[]", true},
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"a\\", "a\\", true},
    {"./a/*", "a/b", true},
    {"*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    {"**/**/**/**/**/**/x", "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/y", false},
    {"프롬프트/*.md", "프롬프트/하나.md", true},
};

TEST(Glob, MatchesAsTheTableSays) {
  for (const GlobCase& c : kGlobCases)
    EXPECT_EQ(glob_matches(c.pattern, c.path), c.matches) << c.pattern << "  " << c.path;
}

// REQ: CHG-1
TEST(Policy, AFileMustMatchBothLists) {
  using testing::ElementsAre;
  using testing::IsEmpty;
  const std::vector<std::string> paths{"goondan.yaml", "prompts/a.md", "tools/x.ts"};
  EXPECT_THAT(violations({}, paths), IsEmpty());
  EXPECT_THAT(violations({.swarm_files = {{"prompts/**", "tools/**"}}}, paths),
              ElementsAre("goondan.yaml"));
  EXPECT_THAT(violations({.agent_files = {{"prompts/**"}}}, paths),
              ElementsAre("goondan.yaml", "tools/x.ts"));
  EXPECT_THAT(violations({.swarm_files = {{"tools/**"}}, .agent_files = {{"prompts/**"}}}, paths),
              ElementsAre("goondan.yaml", "prompts/a.md", "tools/x.ts"));
  EXPECT_THAT(violations({.swarm_files = {{"**"}}, .agent_files = {{"**"}}}, paths), IsEmpty());
  EXPECT_THAT(violations({.swarm_files = std::vector<std::string>{}}, paths), testing::SizeIs(3));
  EXPECT_THAT(violations({.enabled = false}, paths), testing::SizeIs(3));
}

}  // namespace
}  // namespace goondan::changeset
