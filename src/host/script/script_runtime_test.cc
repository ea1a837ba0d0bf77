#include "host/script/script_runtime.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

TEST(ScriptRuntimes, AreKnownByTheirVersions) {
  const auto node = [](std::string_view printed) {
    ScriptRuntime runtime = parse_runtime(printed).value();
    runtime.program = "node";
    return runtime;
  };
  EXPECT_EQ(parse_runtime("1.4.4\n")->text(), "Bun 1.4.4");
  EXPECT_EQ(node("v20.20.2\n").text(), "Node 20.20.2");
  EXPECT_FALSE(parse_runtime("Python 3.11"));
  EXPECT_FALSE(parse_runtime("v1"));
  EXPECT_FALSE(node("v22.5.1").runs_typescript());
  using Words = std::vector<std::string>;
  const std::string quiet = "--disable-warning=ExperimentalWarning";
  const std::string strip = "--experimental-strip-types";
  EXPECT_EQ(node("v20.1.0").command("h"), (Words{"node", "h"}));
  for (const char* const asked : {"v22.6.0", "v22.17.9", "v23.0.0", "v23.5.1"})
    EXPECT_EQ(node(asked).command("h"), (Words{"node", strip, quiet, "h"})) << asked;
  for (const char* const unasked : {"v22.18.0", "v23.6.0", "v24.0.0"})
    EXPECT_EQ(node(unasked).command("h"), (Words{"node", quiet, "h"})) << unasked;
}

TEST(ScriptRuntimes, FetchNoPackagesAndReadNoEnvironmentFilesByThemselves) {
  const ScriptRuntime bun{.kind = ScriptRuntime::Kind::Bun, .program = "bun"};
  EXPECT_EQ(bun.command("h"),
            (std::vector<std::string>{"bun", "--no-install", "--env-file=/dev/null", "h"}));
}

class ScriptRuntimeSearch : public testing::Test {
 protected:
  void SetUp() override { path_ = std::getenv("PATH"); }
  void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }
  // A program that says so when asked for its version.
  void add(std::string_view name, std::string_view version) {
    add_program(name, "echo " + std::string(version));
  }
  void add_program(std::string_view name, const std::string& command) {
    const fs::path file = folder_.write(name, "#!/bin/sh\n" + command + "\n");
    fs::permissions(file, fs::perms::owner_all);
    ::setenv("PATH", folder_.path().c_str(), 1);
  }
  test::TemporaryFolder folder_;
  std::string path_;
};

TEST_F(ScriptRuntimeSearch, PrefersBun) {
  add("node", "v24.0.0");
  add("bun", "1.2.3");
  EXPECT_EQ(find_script_runtime().value().text(), "Bun 1.2.3");
}

TEST_F(ScriptRuntimeSearch, TakesNodeWhereBunDoesNotWork) {
  add("node", "v24.0.0");
  add_program("bun", "echo was not installed >&2; exit 1");
  EXPECT_EQ(find_script_runtime().value().text(), "Node 24.0.0");
}

// REQ: RES-12
TEST_F(ScriptRuntimeSearch, TakesNodeForCodeOfTheFirstDialect) {
  add("bun", "1.2.3");
  const Error error = find_script_runtime(ScriptProgram::Node).error();
  EXPECT_EQ(error.code, ErrorCode::HostUnavailable);
  EXPECT_NE(error.message.find("`runtime: node`"), std::string::npos) << error.message;
  add("node", "v24.0.0");
  EXPECT_EQ(find_script_runtime(ScriptProgram::Node).value().text(), "Node 24.0.0");
  ::setenv("GOONDAN_SCRIPT_RUNTIME", (folder_.path() / "bun").c_str(), 1);
  EXPECT_EQ(find_script_runtime().value().text(), "Bun 1.2.3");
  EXPECT_EQ(find_script_runtime(ScriptProgram::Node).value().text(), "Node 24.0.0");
  add("newer-node", "v26.0.0");
  ::setenv("GOONDAN_SCRIPT_RUNTIME", (folder_.path() / "newer-node").c_str(), 1);
  EXPECT_EQ(find_script_runtime(ScriptProgram::Node).value().text(), "Node 26.0.0");
  ::unsetenv("GOONDAN_SCRIPT_RUNTIME");
  EXPECT_EQ(program_of(Dialect::V1Alpha1), ScriptProgram::Node);
  EXPECT_EQ(program_of(Dialect::V1), ScriptProgram::Any);
}

// Programs that pretend, as Bun can do.
TEST_F(ScriptRuntimeSearch, TakesNoBunThatIsCalledNode) {
  add("node", "1.2.3");
  EXPECT_EQ(find_script_runtime(ScriptProgram::Node).error().code, ErrorCode::HostUnavailable);
}

TEST_F(ScriptRuntimeSearch, SaysWhatAProgramAnsweredInsteadOfItsVersion) {
  add_program("node", "echo bad option; echo more; exit 9");
  const Error error = find_script_runtime().error();
  EXPECT_EQ(error.code, ErrorCode::HostUnavailable);
  EXPECT_TRUE(error.message.ends_with("does not answer as Bun or Node do: bad option"))
      << error.message;
}

TEST_F(ScriptRuntimeSearch, NamesWhatIsTooOld) {
  add("node", "v20.20.2");
  const ScriptRuntime runtime = find_script_runtime().value();
  EXPECT_TRUE(check_runs(runtime, "a.mjs").ok());
  EXPECT_TRUE(check_runs(runtime, "a.mts")
                  .error()
                  .message.starts_with(
                      "Node 20.20.2 cannot run TypeScript; install Bun or Node 22.6 or later"));
}

TEST_F(ScriptRuntimeSearch, RefusesANodeThatIsFarTooOld) {
  add("node", "v16.0.0");
  EXPECT_EQ(find_script_runtime().error().code, ErrorCode::HostUnavailable);
}

TEST_F(ScriptRuntimeSearch, SaysWhatToInstall) {
  ::setenv("PATH", folder_.path().c_str(), 1);
  const Error error = find_script_runtime().error();
  EXPECT_EQ(error.code, ErrorCode::HostUnavailable);
  EXPECT_TRUE(error.suggestion.contains("Install Bun"));
}

}  // namespace
}  // namespace goondan
