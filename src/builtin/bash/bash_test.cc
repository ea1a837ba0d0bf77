#include "builtin/bash/bash.h"

#include <thread>

#include <gmock/gmock.h>

#include "base/utf8.h"
#include "builtin/bash/bash_fixture.h"

namespace goondan::builtin::bash {
namespace {

using testing::HasSubstr;

// REQ: BLT-bash
TEST_F(BashTest, ExecAnswersWithTheKeysOfTheSpecificationInTheirOrder) {
  JsonObject result = output("bash__exec", {{"command", "printf hello; printf no >&2; exit 3"}});
  EXPECT_EQ(keys_of(result), "command cwd durationMs stdout stderr exitCode signal timedOut");
  EXPECT_GE(result["durationMs"].as_int64(), 0);
  result.erase("durationMs");
  const JsonObject expected{{"command", "printf hello; printf no >&2; exit 3"},
                            {"cwd", path()},
                            {"stdout", "hello"},
                            {"stderr", "no"},
                            {"exitCode", 3},
                            {"signal", nullptr},
                            {"timedOut", false}};
  EXPECT_EQ(Json(result), Json(expected));
}

// REQ: DEC-4
TEST_F(BashTest, DeathByASignalIsMinusOneWithItsName) {
  const JsonObject result = output("bash__exec", {{"command", "kill -9 $$"}});
  EXPECT_EQ(result.at("exitCode"), -1);
  EXPECT_EQ(result.at("signal"), "SIGKILL");
  EXPECT_EQ(result.at("timedOut"), false);
}

TEST_F(BashTest, TheShellIsNoLoginShellAndItsInputIsEmpty) {
  EXPECT_EQ(stdout_of("echo $0; cat"), "/bin/sh\n");
}

TEST_F(BashTest, RunsInTheFolderThatIsAskedFor) {
  write("sub/a", "");
  const JsonObject result = output("bash__exec", {{"command", "pwd; echo $PWD"}, {"cwd", "sub"}});
  EXPECT_EQ(result.at("cwd"), Json(path("sub")));
  EXPECT_EQ(result.at("stdout"), Json(path("sub") + "\n" + path("sub") + "\n"));
  EXPECT_EQ(output("bash__exec", {{"command", "pwd"}, {"cwd", ""}}).at("cwd"), Json(path()));
  EXPECT_EQ(output("bash__exec", {{"command", "pwd"}, {"cwd", path("sub")}}).at("cwd"),
            Json(path("sub")));
}

// REQ: DEC-5
TEST_F(BashTest, StaysInTheFoldersThatMayBeUsed) {
  EXPECT_EQ(failure("bash__exec", {{"command", "pwd"}, {"cwd", ".."}}).code,
            ErrorCode::PathOutsideWorkspace);
  EXPECT_EQ(failure("bash__exec", {{"command", "pwd"}, {"cwd", "/"}}).code,
            ErrorCode::PathOutsideWorkspace);
}

TEST_F(BashTest, NamesAFolderThatIsNotThere) {
  EXPECT_THAT(failure("bash__exec", {{"command", "pwd"}, {"cwd", "missing-dir"}}).message,
              HasSubstr("missing-dir"));
  write("file", "");
  EXPECT_THAT(failure("bash__exec", {{"command", "pwd"}, {"cwd", "file"}}).message,
              HasSubstr("file"));
}

// REQ: DEC-4
TEST_F(BashTest, TheEnvironmentHoldsNoSecrets) {
  ::setenv("GDN_TEST_API_TOKEN", "very-secret-value", 1);
  ::setenv("GDN_TEST_PLAIN", "plain", 1);
  ToolRegistry registry;
  ASSERT_TRUE(add_builtin_tools(registry, {.only = {"bash"}}).ok());
  ::unsetenv("GDN_TEST_API_TOKEN");
  const ToolCallResult result = ToolExecutor(registry).run(
      ToolCatalog(registry),
      {.id = "1",
       .name = "bash__exec",
       .input = {{"command", "env; tr '\\0' '\\n' < /proc/$PPID/environ"}}},
      {.scope = std::make_shared<const CallScope>(CallScope{.workdir = path()})});
  ASSERT_EQ(result.status, CallStatus::Ok);
  const std::string seen = to_text(*result.output);
  EXPECT_THAT(seen, HasSubstr("GDN_TEST_PLAIN=plain"));
  EXPECT_THAT(seen, testing::Not(HasSubstr("very-secret-value")));
}

TEST_F(BashTest, RefusesWhatCannotBeRun) {
  EXPECT_THAT(failure("bash__exec", {{"command", ""}}).message, HasSubstr("'command'"));
  const Error nul = failure("bash__exec", {{"command", std::string("a\0b", 3)}});
  EXPECT_EQ(nul.code, ErrorCode::ToolInvalidArgs);
  EXPECT_THAT(nul.message, HasSubstr("NUL"));
  const Error too_long = failure("bash__exec", {{"command", "echo " + std::string(131072, 'x')}});
  EXPECT_THAT(too_long.message, HasSubstr("131077 bytes"));
  EXPECT_EQ(output("bash__exec", {{"command", ": " + std::string(131069, 'x')}}).at("exitCode"), 0);
}

// REQ: BLT-3
TEST_F(BashTest, ATimeoutIsAResultWithWhatWasPrinted) {
  const JsonObject result =
      output("bash__exec",
             {{"command", "trap '' TERM; echo began; sleep 100; echo no"}, {"timeoutMs", 3000}});
  EXPECT_EQ(result.at("timedOut"), true);
  EXPECT_EQ(result.at("stdout"), "began\n");
  EXPECT_EQ(result.at("exitCode"), -1);
  EXPECT_EQ(result.at("signal"), "SIGKILL");
  EXPECT_EQ(keys_of(result), "command cwd durationMs stdout stderr exitCode signal timedOut");
}

TEST_F(BashTest, NoTimeoutMeansTheLimitOfTheCall) {
  const JsonObject result =
      output("bash__exec", {{"command", "sleep 0.05; echo done"}, {"timeoutMs", 0}});
  EXPECT_EQ(result.at("stdout"), "done\n");
  const ToolCallResult limited =
      call("bash__exec", {{"command", "echo began; exec sleep 100"}, {"timeoutMs", -1}},
           {.timeout = std::chrono::milliseconds(4000)});
  ASSERT_EQ(limited.status, CallStatus::Ok) << to_text(limited.to_json());
  EXPECT_EQ(limited.output->at("timedOut"), true);
  EXPECT_EQ(limited.output->at("stdout"), "began\n");
}

// REQ: BLT-3
TEST_F(BashTest, LongOutputIsCutAndSaysSo) {
  const JsonObject result =
      output("bash__exec", {{"command", "head -c 1500000 /dev/zero | tr '\\0' x; echo e >&2"}});
  EXPECT_EQ(keys_of(result),
            "command cwd durationMs stdout stderr exitCode signal timedOut truncated stdoutBytes "
            "stderrBytes");
  EXPECT_EQ(result.at("truncated"), true);
  EXPECT_EQ(result.at("stdoutBytes"), 1'500'000);
  EXPECT_EQ(result.at("stderrBytes"), 2);
  EXPECT_THAT(std::string(result.at("stdout").as_string()),
              HasSubstr("x\n... (500000 bytes left out) ...\nx"));
}

// REQ: DEC-3
TEST_F(BashTest, OutputIsAlwaysText) {
  EXPECT_EQ(stdout_of("printf '\\377\\376a'"), "\uFFFD\uFFFDa");
  EXPECT_EQ(stdout_of("printf 'a\\0b'"), std::string("a\0b", 3));
  // A character that arrives in two pieces stays one.
  EXPECT_EQ(stdout_of("printf '\\355\\225'; sleep 0.05; printf '\\234'"), "한");
  const JsonObject noise = output("bash__exec", {{"command", "head -c 3000000 /dev/urandom"}});
  EXPECT_TRUE(utf8::valid(std::string_view(noise.at("stdout").as_string())));
}

TEST_F(BashTest, SaysWhatItEndedInTheBackground) {
  const JsonObject result = output("bash__exec", {{"command", "sleep 100 & echo hi"}});
  EXPECT_EQ(result.at("stdout"), "hi\n");
  EXPECT_EQ(result.at("exitCode"), 0);
  EXPECT_EQ(result.at("timedOut"), false);
  EXPECT_EQ(result.at("endedBackground"), 1);
}

TEST_F(BashTest, ACancelledCallIsAnError) {
  std::stop_source source;
  write("began", "");
  const std::jthread stopper([&] {
    while (std::filesystem::exists(path("began")))
      std::this_thread::yield();
    source.request_stop();
  });
  const ToolCallResult result =
      call("bash__exec", {{"command", "rm began; sleep 100"}}, {.stop = source.get_token()});
  ASSERT_EQ(result.status, CallStatus::Error);
  EXPECT_EQ(result.error->code, ErrorCode::ToolCancelled);
}

}  // namespace
}  // namespace goondan::builtin::bash
