#include "policy/narrow.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

using Access = Policy::FileRoot::Access;
using std::chrono::milliseconds;

std::vector<std::string> shown(const std::vector<Policy::FileRoot>& roots) {
  std::vector<std::string> texts;
  for (const Policy::FileRoot& root : roots)
    texts.push_back(root.path + (root.access == Access::ReadWrite ? " rw" : " r"));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(NarrowedPolicy, IsTheSwarmsForAnAgentThatSaysNothing) {
  const Policy swarm{.http_allow = {"a.example:8080"},
                     .file_roots = {{.path = "/data", .access = Access::ReadWrite}},
                     .env_pass = {"TOKEN"},
                     .tool_timeout = milliseconds(5),
                     .max_concurrent = 3,
                     .max_result_bytes = 100};
  const Policy result = narrowed(swarm, {});
  EXPECT_EQ(result.http_allow, swarm.http_allow);
  EXPECT_EQ(shown(result.file_roots), Texts{"/data rw"});
  EXPECT_EQ(result.env_pass, swarm.env_pass);
  EXPECT_EQ(result.tool_timeout, milliseconds(5));
  EXPECT_EQ(result.max_concurrent, 3U);
  EXPECT_EQ(result.max_result_bytes, 100U);
}

TEST(NarrowedPolicy, GivesAnAgentNothingThatItsSwarmDoesNotHave) {
  const Policy agent{.http_allow = {"a.example"},
                     .file_roots = {{.path = "/data", .access = Access::Read}},
                     .env_pass = {"TOKEN"},
                     .allow_registry_bypass = true};
  const Policy result = narrowed({}, agent);
  EXPECT_TRUE(result.http_allow.empty());
  EXPECT_TRUE(result.file_roots.empty());
  EXPECT_TRUE(result.env_pass.empty());
  EXPECT_EQ(result.allow_registry_bypass, false);
}

TEST(NarrowedPolicy, KeepsTheHostsThatBothName) {
  const Policy swarm{.http_allow = {"a.example", "b.example:8080", "[::1]:80", "c.example"}};
  const Policy agent{.http_allow = {"A.example:443", "a.example:8443", "b.example", "[::1]:80"}};
  EXPECT_EQ(narrowed(swarm, agent).http_allow, (Texts{"A.example:443", "[::1]:80"}));
  EXPECT_EQ(narrowed({.http_allow = {"a.example:443"}}, {.http_allow = {"a.example"}}).http_allow,
            Texts{"a.example:443"});
}

TEST(NarrowedPolicy, KeepsTheFoldersThatBothNameWithTheLesserAccess) {
  const Policy swarm{.file_roots = {{.path = "/data/", .access = Access::ReadWrite},
                                    {.path = "/data/private", .access = Access::Read},
                                    {.path = "/other", .access = Access::Read}}};
  const auto with = [&swarm](std::vector<Policy::FileRoot> roots) {
    return shown(narrowed(swarm, {.file_roots = std::move(roots)}).file_roots);
  };
  EXPECT_EQ(with({{.path = "/data/in", .access = Access::Read}}), Texts{"/data/in r"});
  EXPECT_EQ(with({{.path = "/data/private/x", .access = Access::ReadWrite}}),
            Texts{"/data/private/x r"});
  EXPECT_EQ(with({{.path = "/data", .access = Access::ReadWrite}}),
            (Texts{"/data rw", "/data/private r"}));
  EXPECT_EQ(with({{.path = "/", .access = Access::ReadWrite}}),
            (Texts{"/data rw", "/data/private r", "/other r"}));
  EXPECT_EQ(with({{.path = "/database", .access = Access::Read}}), Texts{});
  EXPECT_EQ(with({{.path = "/data/../etc", .access = Access::Read}}), Texts{});
}

TEST(NarrowedPolicy, TakesTheSmallerNumberAndTheBypassUnlessOneRefusesIt) {
  const Policy swarm{.tool_timeout = milliseconds(1000), .max_concurrent = 2};
  const Policy agent{.tool_timeout = milliseconds(2000), .max_concurrent = 1};
  EXPECT_EQ(narrowed(swarm, agent).tool_timeout, milliseconds(1000));
  EXPECT_EQ(narrowed(swarm, agent).max_concurrent, 1U);
  EXPECT_EQ(narrowed({}, agent).tool_timeout, milliseconds(2000));
  const Policy allows{.allow_registry_bypass = true};
  EXPECT_EQ(narrowed(allows, allows).allow_registry_bypass, true);
  EXPECT_EQ(narrowed(allows, {}).allow_registry_bypass, true);
  EXPECT_EQ(narrowed({}, allows).allow_registry_bypass, false);
  EXPECT_EQ(narrowed(allows, {.allow_registry_bypass = false}).allow_registry_bypass, false);
}

TEST(NarrowedPolicy, PassesTheVariablesThatBothName) {
  EXPECT_EQ(narrowed({.env_pass = {"A", "B"}}, {.env_pass = {"B", "C", "B"}}).env_pass, Texts{"B"});
}

}  // namespace
}  // namespace goondan
