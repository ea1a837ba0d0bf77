#include "host/native/program_paths.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

// Sets a variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(ProgramPaths, TheEnvironmentNamesTheWorker) {
  const Variable chosen("GOONDAN_GDN", test::worker_path().string());
  EXPECT_EQ(worker_program().value(), test::worker_path());
}

TEST(ProgramPaths, AWrongNameInTheEnvironmentIsAnError) {
  const Variable chosen("GOONDAN_GDN", "/no/such/gdn");
  const auto program = worker_program();
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().code, ErrorCode::HostUnavailable);
  EXPECT_NE(program.error().message.find("GOONDAN_GDN"), std::string::npos);
}

TEST(ProgramPaths, FindsTheSdkOfTheBuildTree) {
  const SdkPaths sdk = sdk_paths().value();
  EXPECT_TRUE(fs::exists(sdk.include / "goondan/plugin.h"));
  EXPECT_TRUE(fs::exists(sdk.library));
}

TEST(ProgramPaths, FindsAnSdkBelowItsPrefix) {
  const test::TemporaryFolder prefix;
  const Variable chosen("GOONDAN_SDK", prefix.path().string());
  EXPECT_EQ(sdk_paths().error().code, ErrorCode::HostUnavailable);
  prefix.write("include/goondan/plugin.h", "");
  prefix.write("lib/x86_64-linux-gnu/libgoondan_plugin.a", "");
  EXPECT_EQ(sdk_paths().value().include, prefix.path() / "include");
}

}  // namespace
}  // namespace goondan
