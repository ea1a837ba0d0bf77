// A folder to work in and an executor with the tool `bash`, as a model meets it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <goondan/goondan.h>

namespace goondan::builtin::bash {

class BashTest : public testing::Test {
 protected:
  BashTest() {
    std::string name = (std::filesystem::temp_directory_path() / "gdn-bash-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = std::filesystem::canonical(name);
    EXPECT_TRUE(add_builtin_tools(registry_, {.only = {"bash"}}).ok());
  }
  ~BashTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  [[nodiscard]] std::string path(const std::string& name = "") const {
    return name.empty() ? folder_.string() : (folder_ / name).string();
  }

  ToolCallResult call(const std::string& name, JsonObject input, CallOptions options = {}) const {
    options.scope = std::make_shared<const CallScope>(CallScope{.workdir = folder_.string()});
    const ToolExecutor executor(registry_);
    return executor.run(ToolCatalog(registry_),
                        {.id = "1", .name = name, .input = std::move(input)}, options);
  }

  // The output of a call that must be ok.
  [[nodiscard]] JsonObject output(const std::string& name, JsonObject input) const {
    const ToolCallResult result = call(name, std::move(input));
    EXPECT_EQ(result.status, CallStatus::Ok) << to_text(result.to_json());
    if (!result.output || !result.output->is_object()) return {};
    return result.output->get_object();
  }

  // The error of a call that must fail.
  [[nodiscard]] Error failure(const std::string& name, JsonObject input) const {
    const ToolCallResult result = call(name, std::move(input));
    EXPECT_EQ(result.status, CallStatus::Error) << to_text(result.to_json());
    return result.error.value_or(Error{});
  }

  [[nodiscard]] std::string stdout_of(const std::string& command) const {
    return std::string(output("bash__exec", {{"command", command}})["stdout"].as_string());
  }

 private:
  std::filesystem::path folder_;
  ToolRegistry registry_;
};

// The keys of an object in their order, e.g. "a b".
inline std::string keys_of(const JsonObject& object) {
  std::string keys;
  for (const auto& member : object)
    keys += (keys.empty() ? "" : " ") + std::string(member.key());
  return keys;
}

}  // namespace goondan::builtin::bash
