#include "builtin/bash/environment.h"

#include <gmock/gmock.h>

#include "builtin/bash/bash_fixture.h"

namespace goondan::builtin::bash {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> merged(std::vector<std::string> base, const JsonObject& given) {
  return command_environment(base, &given, "/w").value();
}

Error refused(const JsonObject& given) {
  const auto result = command_environment({}, &given, "/w");
  EXPECT_FALSE(result.ok());
  return result.ok() ? Error{} : result.error();
}

TEST(CommandEnvironment, PutsTheGivenVariablesOverTheOthers) {
  EXPECT_THAT(merged({"A=1", "B=2", "PWD=/old"}, {{"B", "3"}, {"C", "4"}}),
              ElementsAre("A=1", "B=3", "C=4", "PWD=/w"));
  EXPECT_THAT(merged({"AB=1"}, {{"A", "2"}}), ElementsAre("AB=1", "A=2", "PWD=/w"));
  EXPECT_THAT(merged({}, {{"PWD", "/mine"}}), ElementsAre("PWD=/mine"));
}

TEST(CommandEnvironment, WritesNumbersAndBooleansAsJavaScriptDoes) {
  EXPECT_THAT(
      merged({},
             {{"A", 7}, {"B", true}, {"C", 1.5}, {"D", 7.0}, {"E", ""}, {"F", -0.0}, {"G", 1e21}}),
      ElementsAre("A=7", "B=true", "C=1.5", "D=7", "E=", "F=0", "G=1e+21", "PWD=/w"));
}

TEST(CommandEnvironment, RefusesOtherValues) {
  for (const Json& value : {Json(nullptr), Json(JsonArray{"x"}), Json(JsonObject{})}) {
    const Error error = refused({{"A", value}});
    EXPECT_EQ(error.code, ErrorCode::ToolInvalidArgs);
    EXPECT_EQ(error.message, "env.A must be a primitive string/number/boolean value");
  }
}

TEST(CommandEnvironment, RefusesWhatCannotBeAVariable) {
  EXPECT_THAT(refused({{"", "x"}}).message, HasSubstr("without a name"));
  EXPECT_THAT(refused({{"A=B", "x"}}).message, HasSubstr("env.A=B"));
  EXPECT_THAT(refused({{"A", std::string("x\0y", 3)}}).message, HasSubstr("NUL"));
  EXPECT_THAT(refused({{"A", std::string(140'000, 'x')}}).message, HasSubstr("140000 bytes"));
}

TEST(CommandEnvironment, RefusesWhatRunsOtherCodeUnseen) {
  for (const char* name : {"LD_PRELOAD", "LD_LIBRARY_PATH", "BASH_ENV", "BASH_FUNC_ls%%"})
    EXPECT_THAT(refused({{name, "x"}}).message, HasSubstr(name));
}

TEST_F(BashTest, ABadVariableStopsTheCallBeforeAnythingRuns) {
  const Error error = failure("bash__exec", {{"command", "touch ran"}, {"env", {{"A", nullptr}}}});
  EXPECT_THAT(error.message, HasSubstr("env.A"));
  EXPECT_FALSE(std::filesystem::exists(path("ran")));
}

}  // namespace
}  // namespace goondan::builtin::bash
