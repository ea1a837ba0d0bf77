#include "store/layout.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/sha256.h"
#include "store/store_test.h"

namespace goondan::store {
namespace {

// Sets a variable of the environment for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(Layout, TheStateRootIsWhatIsGivenThenTheVariableThenTheHomeFolder) {
  const Variable home("HOME", "/home/someone");
  const Variable root("GOONDAN_STATE_ROOT", "/var/state");
  EXPECT_EQ(state_root("/given/here"), "/given/here");
  EXPECT_EQ(state_root(), "/var/state");
  const Variable none("GOONDAN_STATE_ROOT", "");
  EXPECT_EQ(state_root(), "/home/someone/.goondan");
  const Variable no_home("HOME", nullptr);
  EXPECT_TRUE(state_root().is_absolute());
}

TEST(Layout, TheStateRootIsAbsolute) {
  EXPECT_EQ(state_root("here/./there"), std::filesystem::current_path() / "here/there");
}

bool plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 128 && name.front() != '.' && name.front() != '-' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
                  c == '-';
         });
}

TEST(Layout, AWorkspaceIsNamedByItsKeyOrBySwarmAndBundle) {
  EXPECT_EQ(workspace_name("default", "my-team_1.x", "/a"), "my-team_1.x");
  const std::string here = workspace_name("default", "", "/a");
  EXPECT_EQ(here.size(), std::string("default-").size() + 8);
  EXPECT_TRUE(here.starts_with("default-"));
  EXPECT_EQ(here, workspace_name("default", "default", "/a"));  // the key if none is set
  EXPECT_NE(here, workspace_name("default", "", "/b"));
  EXPECT_NE(here, workspace_name("other", "", "/a"));
  EXPECT_EQ(here, workspace_name("default", "", "/a/"));
  EXPECT_EQ(here, workspace_name("default", "", "/x/../a"));
}

TEST(Layout, AWorkspaceNameIsAlwaysAPlainFileName) {
  for (const std::string& key :
       {std::string("Team A"), std::string(".."), std::string("."), std::string("a/b"),
        std::string(1000, 'k'), std::string("팀"), std::string("-x"), std::string("a\0b", 3)}) {
    EXPECT_TRUE(plain_name(workspace_name("s", key, "/a"))) << workspace_name("s", key, "/a");
    EXPECT_TRUE(plain_name(workspace_name(key, "", "/a"))) << workspace_name(key, "", "/a");
  }
  EXPECT_NE(workspace_name("s", "team", "/a"), workspace_name("s", "Team", "/a"));
}

TEST(Layout, AWorkspaceFolderHasTheNameOfItsWorkspaceAndLiesInTheRoot) {
  for (const std::string key : {"plain", "Team A", "a/b"}) {
    const std::string name = workspace_name("s", key, "/a");
    EXPECT_EQ(workspace_folder("/root", name), std::filesystem::path("/root/workspaces") / name);
  }
  EXPECT_EQ(workspace_folder("/root", "..").parent_path(), "/root/workspaces");
  EXPECT_NE(workspace_folder("/root", "..").filename(), "..");
  EXPECT_EQ(workspace_folder("/root", "../../etc").parent_path(), "/root/workspaces");
}

TEST(Layout, TwoKeysNeverShareAFolder) {
  std::vector<std::string> keys{"a-b",
                                "a/b",
                                "a b",
                                "a\\b",
                                "",
                                ".",
                                "..",
                                "...",
                                "-",
                                "_",
                                "/",
                                "//",
                                "A",
                                "a",
                                "é",
                                "è",
                                "한",
                                "국",
                                " a",
                                "a ",
                                "a.",
                                "a\n",
                                "a\tb",
                                "~",
                                "%2F",
                                "a%2Fb",
                                "a--b",
                                "a_b",
                                "\xff",
                                "\xfe",
                                std::string("a\0b", 3)};
  for (const std::size_t length : {127UL, 128UL, 129UL, 255UL, 256UL, 5000UL})
    keys.emplace_back(length, 'x');
  keys.push_back(std::string(5000, 'x') + "y");
  // Somebody may choose a key that is the folder of another.
  for (std::size_t i = 0, count = keys.size(); i < count; ++i)
    keys.push_back(instance_folder("/w", "agent", keys[i]).filename());
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::set<std::filesystem::path> folders;
  for (const std::string& key : keys) {
    const std::filesystem::path folder = instance_folder("/w", "agent", key);
    EXPECT_TRUE(folders.insert(folder).second) << key << " shares " << folder;
    EXPECT_EQ(folder.parent_path(), "/w/instances/agent");
    EXPECT_EQ(folder, folder.lexically_normal());
    EXPECT_LE(folder.filename().string().size(), 128U);
  }
}

TEST(Layout, GoodNamesStayReadable) {
  EXPECT_EQ(instance_folder("/w", "coder", "default"), "/w/instances/coder/default");
  EXPECT_EQ(instance_folder("/w", "Coder_2", "issue-4.b"), "/w/instances/Coder_2/issue-4.b");
  const std::string changed = instance_folder("/w", "coder", "slack:C1/T2").filename();
  EXPECT_TRUE(changed.starts_with("slack-C1-T2-")) << changed;
  EXPECT_NE(instance_folder("/w", "a/b", "c"), instance_folder("/w", "a", "b/c"));
}

TEST(Sha256, GivesTheHashesOfTheStandard) {
  EXPECT_EQ(sha256_hex("abc", 64),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("", 64), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 64),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a'), 64),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace goondan::store
