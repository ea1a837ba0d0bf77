// From YAML to calls: bundles whose tools are native plugins, run by the one executor.
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include <goondan/goondan.h>

#include "host/native/load_native.h"
#include "host/native/plugin_fixture.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

class LoadTools : public testing::Test {
 protected:
  void SetUp() override { ::setenv("GOONDAN_GDN", test::worker_path().c_str(), 1); }
  void TearDown() override { ::unsetenv("GOONDAN_GDN"); }

  void copy_plugin(std::string_view name) const {
    fs::copy_file(test::plugin_path(name), folder_.path() / (std::string(name) + ".so"));
  }

  // A tool named `t`, with the given exports.
  void add_tool(std::string_view entry, const std::vector<std::string>& exports,
                std::string_view more = {}, std::string_view name = "t") {
    yaml_ += "---\napiVersion: goondan.ai/v1\nkind: Tool\nmetadata: { name: " + std::string(name) +
             " }\nspec:\n  entry: ./" + std::string(entry) + "\n" + std::string(more) +
             "  exports:\n";
    for (const std::string& exported : exports) {
      yaml_ += "    - { name: " + exported + ", parameters: { type: object } }\n";
    }
  }

  Result<void> load(std::string_view only = {}) {
    folder_.write("goondan.yaml", yaml_);
    const Bundle bundle = GDN_TRY(Bundle::load(folder_.path()));
    return add_bundle_tools(registry_, bundle, {.only = std::string(only)});
  }

  ToolCallResult call(std::string name, JsonObject input = {},
                      std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
    const ToolExecutor executor(registry_);
    return executor.run(ToolCatalog(registry_),
                        {.id = "1", .name = std::move(name), .input = std::move(input)},
                        {.timeout = timeout});
  }

  test::TemporaryFolder folder_;
  std::string yaml_;
  ToolRegistry registry_;
};

TEST_F(LoadTools, KeepWhetherAnExportMayRunTwice) {
  yaml_ =
      "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: { name: t }\nspec:\n  entry: ./x.ts\n"
      "  exports:\n    - { name: look, idempotent: true }\n    - { name: change }\n";
  folder_.write("x.ts", "");
  ASSERT_TRUE(load().ok());
  const ToolCatalog catalog(registry_);
  EXPECT_TRUE(catalog.find("t__look")->item().idempotent);
  EXPECT_FALSE(catalog.find("t__change")->item().idempotent);
}

const std::vector<std::string> kWell{"echo",           "context", "fails", "throws_exception",
                                     "throws_number",  "talks",   "asks",  "prints",
                                     "waits_for_stop", "sleeps",  "large", "size"};
const std::vector<std::string> kBad{"echo",
                                    "segfault",
                                    "aborts",
                                    "exits",
                                    "kills_itself",
                                    "kills_its_group",
                                    "overflows_the_stack",
                                    "loops",
                                    "floods",
                                    "writes_garbage",
                                    "closes_everything",
                                    "supervisor",
                                    "replies_deeply"};

TEST_F(LoadTools, RunsAPluginInAWorker) {
  copy_plugin("well_behaved");
  add_tool("well_behaved.so", kWell);
  const Result<void> loaded = load();
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(registry_.size(), kWell.size());
  EXPECT_EQ(call("t__echo", {{"a", 1}}).output, Json(JsonObject{{"a", 1}}));
  EXPECT_EQ(call("t__fails").error->code_text(), "E_CHANNEL_NOT_FOUND");
  EXPECT_EQ(call("t__context").output->at("toolCallId"), "1");
  EXPECT_EQ(call("t__asks").error->code, ErrorCode::RuntimeUnavailable);
}

TEST_F(LoadTools, RunsAPluginInOurOwnProcess) {
  copy_plugin("well_behaved");
  add_tool("well_behaved.so", kWell, "  isolation: inProcess\n");
  ASSERT_TRUE(load().ok());
  EXPECT_EQ(call("t__echo", {{"a", 1}}).output, Json(JsonObject{{"a", 1}}));
  EXPECT_EQ(call("t__throws_exception").error->message, "the disk is full");
  EXPECT_EQ(call("t__waits_for_stop", {}, std::chrono::milliseconds(20)).error->code,
            ErrorCode::ToolTimeout);
}

TEST_F(LoadTools, ACrashAndATimeOutAreResultsAndTheNextCallWorks) {  // REQ: CALL-3
  copy_plugin("badly_behaved");
  add_tool("badly_behaved.so", kBad);
  ASSERT_TRUE(load().ok());
  const ToolCallResult crash = call("t__segfault");
  EXPECT_EQ(crash.error->code, ErrorCode::ToolCrash);
  EXPECT_EQ(crash.error->message, "plugin 't' crashed with SIGSEGV while running 'segfault'");
  EXPECT_TRUE(call("t__echo").ok());
  EXPECT_EQ(call("t__loops", {}, std::chrono::milliseconds(50)).error->code,
            ErrorCode::ToolTimeout);
  EXPECT_TRUE(call("t__echo").ok());
}

TEST_F(LoadTools, ACrashLosesNoSiblingOfTheSameResponse) {  // REQ: CALL-10
  copy_plugin("badly_behaved");
  add_tool("badly_behaved.so", kBad);
  ASSERT_TRUE(load().ok());
  std::vector<ToolCall> calls;
  for (int i = 0; i < 8; ++i) {
    calls.push_back({.id = std::to_string(i), .name = i == 5 ? "t__segfault" : "t__echo"});
  }
  const ToolExecutor executor(registry_);
  const auto results = executor.run_all(ToolCatalog(registry_), calls);
  ASSERT_EQ(results.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(results[i].ok(), i != 5) << i;
}

TEST_F(LoadTools, AnExportWithoutAHandlerIsALoadError) {  // REQ: RES-10
  copy_plugin("leaves_children");
  add_tool("leaves_children.so", {"run", "runs"});
  for (const char* const isolation : {"worker", "inProcess"}) {
    const Result<void> loaded = load();
    ASSERT_FALSE(loaded.ok()) << isolation;
    EXPECT_EQ(loaded.error().code, ErrorCode::PluginHandlerMissing);
    yaml_.clear();
    add_tool("leaves_children.so", {"run", "runs"}, "  isolation: inProcess\n");
  }
}

TEST_F(LoadTools, AHandlerWithoutAnExportIsALoadError) {  // REQ: RES-10
  copy_plugin("well_behaved");
  add_tool("well_behaved.so", {"echo"});
  EXPECT_EQ(load().error().code, ErrorCode::PluginHandlerUndeclared);
}

TEST_F(LoadTools, OnlyLoadsOneToolWhenAsked) {
  copy_plugin("leaves_children");
  copy_plugin("wrong_abi");
  add_tool("leaves_children.so", {"run"});
  add_tool("wrong_abi.so", {"x"}, {}, "broken");
  EXPECT_TRUE(load("t").ok());
  EXPECT_EQ(registry_.size(), 1u);
  EXPECT_EQ(load("broken").error().code, ErrorCode::PluginAbiVersion);
}

TEST_F(LoadTools, AScriptThatNothingCanRunDoesNotKeepTheRestFromWorking) {
  ::setenv("GOONDAN_SCRIPT_RUNTIME", "/no/such/program", 1);
  copy_plugin("leaves_children");
  folder_.write("tool.js", "");
  add_tool("leaves_children.so", {"run"});
  add_tool("tool.js", {"speak"}, {}, "script");
  const Result<void> loaded = load();
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(call("script__speak").error->code, ErrorCode::HostUnavailable);
  EXPECT_EQ(load("script").error().code, ErrorCode::HostUnavailable);
  ::unsetenv("GOONDAN_SCRIPT_RUNTIME");
}

TEST_F(LoadTools, AnUnknownEndingIsRefusedWithTheBundle) {
  folder_.write("tool.py", "");
  add_tool("tool.py", {"x"});
  EXPECT_EQ(load().error().code, ErrorCode::ConfigSchemaInvalid);
}

TEST(ResolveEntry, StaysInsideTheBundle) {  // REQ: RES-4
  const test::TemporaryFolder outside;
  const test::TemporaryFolder bundle;
  outside.write("x.so", "");
  const fs::path inside = bundle.write("real/x.so", "");
  fs::create_symlink(outside.path() / "x.so", bundle.path() / "out.so");
  fs::create_directory_symlink(outside.path(), bundle.path() / "folder");
  fs::create_symlink("real/x.so", bundle.path() / "in.so");
  EXPECT_EQ(resolve_entry(bundle.path(), "./real/x.so").value(), fs::canonical(inside));
  EXPECT_EQ(resolve_entry(bundle.path(), "in.so").value(), fs::canonical(inside));
  for (const std::string& entry : {std::string("out.so"), std::string("folder/x.so"),
                                   "../" + outside.path().filename().string() + "/x.so",
                                   (outside.path() / "x.so").string(), std::string(".")}) {
    const auto path = resolve_entry(bundle.path(), entry);
    ASSERT_FALSE(path.ok()) << entry;
    EXPECT_EQ(path.error().code, ErrorCode::ConfigEntryOutsideBundle) << entry;
  }
  EXPECT_EQ(resolve_entry(bundle.path(), "none.so").error().code, ErrorCode::ConfigEntryNotFound);
}

TEST(ExitCode, SaysWhatKindOfErrorItWas) {
  EXPECT_EQ(exit_code(0), 0);
  EXPECT_EQ(exit_code(7), 7);
  testing::internal::CaptureStderr();
  EXPECT_EQ(exit_code(Error{.code = ErrorCode::Io, .message = "m", .suggestion = "s"}), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "error E_IO: m\n  s\n");
  EXPECT_EQ(exit_code(Error{.code = ErrorCode::Usage}), 2);
  EXPECT_EQ(exit_code(Error{.code = ErrorCode::ConfigParse}), 3);
  EXPECT_EQ(exit_code(Error{.code = ErrorCode::PluginBuild}), 3);
  EXPECT_EQ(exit_code(Error{.code = ErrorCode::Limit}), 8);
  EXPECT_EQ(exit_code(Error{.code = ErrorCode::ToolCancelled}), 130);
}

}  // namespace
}  // namespace goondan
