// A bundle with one tool in JavaScript or TypeScript, for each of the runtimes that the tests have
// installed, or that this machine has.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <goondan/goondan.h>

#include "host/native/plugin_fixture.h"
#include "host/script/script_runtime.h"
#include "os/find_program.h"

namespace goondan::test {

namespace fs = std::filesystem;

// A runtime of the tests, else of this machine; empty if there is none.
inline std::string runtime_program(const std::string& name) {
  const fs::path installed = fs::path(GDN_NPM_DIR) / "bin" / name;
  if (fs::exists(installed)) return installed.string();
  return os::find_in_path(name);
}

class ScriptTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string program = runtime_program(GetParam());
    ASSERT_NE(program, "") << GetParam() << " is not there; `./dev test` installs it in build/npm";
    ::setenv("GOONDAN_GDN", worker_path().c_str(), 1);
    ::setenv("GOONDAN_SCRIPT_RUNTIME", program.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("GOONDAN_GDN");
    ::unsetenv("GOONDAN_SCRIPT_RUNTIME");
  }

  static bool runs_typescript() {
    const Result<ScriptRuntime> runtime = find_script_runtime();
    return runtime.ok() && runtime->runs_typescript();
  }

  // A tool `t` whose module is `code`.
  void write_tool(std::string_view code, const std::vector<std::string>& exports,
                  std::string_view file = "tool.mjs", std::string_view more = "") {
    folder_.write(file, code);
    std::string yaml =
        "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: { name: t }\nspec:\n  entry: ./" +
        std::string(file) + "\n" + std::string(more) + "  exports:\n";
    for (const std::string& name : exports)
      yaml += "    - { name: " + name + ", parameters: { type: object } }\n";
    folder_.write("goondan.yaml", yaml);
  }

  Result<void> load(std::string_view only = {}) {
    const Bundle bundle = GDN_TRY(Bundle::load(folder_.path()));
    return add_bundle_tools(registry_, bundle, {.only = std::string(only)});
  }

  ToolCallResult call(std::string name, JsonObject input = {}, CallOptions options = {}) {
    if (options.timeout.count() == 0) options.timeout = std::chrono::seconds(60);
    const ToolExecutor executor(registry_);
    return executor.run(ToolCatalog(registry_),
                        {.id = "c1", .name = std::move(name), .input = std::move(input)}, options);
  }

  TemporaryFolder folder_;
  ToolRegistry registry_;
};

}  // namespace goondan::test
