#include <gmock/gmock.h>

#include "builtin/bash/bash_fixture.h"

namespace goondan::builtin::bash {
namespace {

using testing::HasSubstr;

class BashScriptTest : public BashTest {};

// REQ: BLT-bash
TEST_F(BashScriptTest, AnswersWithTheKeysOfTheSpecificationInTheirOrder) {
  write("d/s.sh", "echo \"$1|$2|$#\"; pwd; exit 5\n");
  JsonObject result = output("bash__script", {{"path", "d/s.sh"}, {"args", {"a b", "\"q\"", ""}}});
  EXPECT_EQ(keys_of(result), "path shell args durationMs stdout stderr exitCode signal timedOut");
  result.erase("durationMs");
  const JsonObject expected{{"path", path("d/s.sh")},
                            {"shell", "/bin/bash"},
                            {"args", {"a b", "\"q\"", ""}},
                            {"stdout", "a b|\"q\"|3\n" + path() + "\n"},
                            {"stderr", ""},
                            {"exitCode", 5},
                            {"signal", nullptr},
                            {"timedOut", false}};
  EXPECT_EQ(Json(result), Json(expected));
}

TEST_F(BashScriptTest, RunsWithTheShellThatIsAskedFor) {
  write("s.sh", "echo ${BASH_VERSION:+bash}; echo $K\n");
  EXPECT_EQ(output("bash__script", {{"path", "s.sh"}, {"env", {{"K", "v"}}}}).at("stdout"),
            "bash\nv\n");
  EXPECT_EQ(output("bash__script", {{"path", "s.sh"}, {"shell", "/bin/sh"}}).at("stdout"), "\n\n");
  EXPECT_EQ(output("bash__script", {{"path", "s.sh"}, {"shell", "cat"}}).at("stdout"),
            "echo ${BASH_VERSION:+bash}; echo $K\n");
}

TEST_F(BashScriptTest, NamesAShellThatIsNotThere) {
  write("s.sh", "");
  const Error error = failure("bash__script", {{"path", "s.sh"}, {"shell", "/no/such/shell"}});
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.message, HasSubstr("/no/such/shell"));
}

TEST_F(BashScriptTest, RunsOnlyFilesInTheFoldersThatMayBeUsed) {
  EXPECT_EQ(failure("bash__script", {{"path", "../s.sh"}}).code, ErrorCode::PathOutsideWorkspace);
  EXPECT_EQ(failure("bash__script", {{"path", "/etc/profile"}}).code,
            ErrorCode::PathOutsideWorkspace);
  std::filesystem::create_symlink("/etc/profile", path("link.sh"));
  EXPECT_EQ(failure("bash__script", {{"path", "link.sh"}}).code, ErrorCode::PathOutsideWorkspace);
  const Error missing = failure("bash__script", {{"path", "missing.sh"}});
  EXPECT_EQ(missing.code, ErrorCode::NotFound);
  EXPECT_THAT(missing.message, HasSubstr("missing.sh"));
  EXPECT_FALSE(failure("bash__script", {{"path", "."}}).message.empty());
  EXPECT_THAT(failure("bash__script", {{"path", ""}}).message, HasSubstr("'path'"));
}

TEST_F(BashScriptTest, RefusesArgumentsThatNoProgramCanBeGiven) {
  write("s.sh", "");
  EXPECT_THAT(
      failure("bash__script", {{"path", "s.sh"}, {"args", {std::string("a\0", 2)}}}).message,
      HasSubstr("NUL"));
  EXPECT_THAT(
      failure("bash__script", {{"path", "s.sh"}, {"args", {std::string(140'000, 'x')}}}).message,
      HasSubstr("'args'"));
  JsonArray many(60, Json(std::string(130'000, 'x')));
  EXPECT_THAT(failure("bash__script", {{"path", "s.sh"}, {"args", many}}).message,
              HasSubstr("Argument list too long"));
}

TEST_F(BashScriptTest, ATimeoutIsAResult) {
  write("t.sh", "echo began; exec sleep 100\n");
  const JsonObject result = output("bash__script", {{"path", "t.sh"}, {"timeoutMs", 1000}});
  EXPECT_EQ(result.at("timedOut"), true);
  EXPECT_EQ(result.at("signal"), "SIGTERM");
  EXPECT_EQ(result.at("stdout"), "began\n");
}

}  // namespace
}  // namespace goondan::builtin::bash
