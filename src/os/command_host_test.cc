#include "os/command_host.h"

#include <thread>

#include <gmock/gmock.h>

#include "os/command_fixture.h"
#include "os/process_tree.h"

namespace goondan::os {
namespace {

using test::output_of;
using test::shell;
using test::text_of;
using testing::HasSubstr;

TEST(CommandHost, RunsACommandAndKeepsWhatItPrints) {
  CommandHost host(test::host_options());
  const Result<CommandOutcome> outcome = host.run(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(text_of(outcome->out), "out\n");
  EXPECT_EQ(text_of(outcome->err), "err\n");
  EXPECT_EQ(outcome->status, (ExitStatus{.how = ExitStatus::How::Exited, .number = 3}));
  EXPECT_EQ(outcome->end, CommandOutcome::End::ByItself);
  EXPECT_EQ(outcome->background, 0u);
}

TEST(CommandHost, SaysWhichSignalEndedACommand) {
  CommandHost host(test::host_options());
  const Result<CommandOutcome> outcome = host.run(shell("kill -9 $$"));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->status, (ExitStatus{.how = ExitStatus::How::Signalled, .number = 9}));
  EXPECT_EQ(outcome->end, CommandOutcome::End::ByItself);
}

TEST(CommandHost, GivesACommandItsFolderAndEnvironmentAndNothingElse) {
  CommandHost host(test::host_options());
  Command command = shell("pwd; echo $A; echo ${HOST-unset}; cat");
  command.folder = test::folder("/usr");
  command.texts.environment.emplace_back("A=given");
  const Result<CommandOutcome> outcome = host.run(std::move(command));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(text_of(outcome->out), "/usr\ngiven\nunset\n");
}

TEST(CommandHost, GivesACommandThreeDescriptors) {
  CommandHost host(test::host_options());
  EXPECT_EQ(output_of(host, "for i in $(seq 0 99); do [ -e /proc/$$/fd/$i ] && echo $i; done; :"),
            "0\n1\n2\n");
}

TEST(CommandHost, GivesACommandItsOwnSessionAndDefaultSignals) {
  CommandHost host(test::host_options());
  EXPECT_EQ(output_of(host, "test $(cut -d' ' -f6 /proc/$$/stat) = $$ && echo own"), "own\n");
  // Of the ignored ones, those that the C library keeps for itself do not count.
  EXPECT_EQ(output_of(host,
                      "set -- $(awk '/SigBlk|SigIgn/ {print \"0x\" $2}' /proc/self/status);"
                      "echo $(($1)) $(($2 & 0x7fffffff))"),
            "0 0\n");
}

TEST(CommandHost, HasNothingInItsEnvironmentThatWasNotGiven) {
  ::setenv("GDN_TEST_TOKEN", "very-secret", 1);
  CommandHost host(test::host_options());
  const std::string seen = output_of(
      host,
      "for p in $PPID $(cut -d' ' -f4 /proc/$PPID/stat); do tr '\\0' ' ' < /proc/$p/environ; done");
  ::unsetenv("GDN_TEST_TOKEN");
  // Only root may look at all.
  EXPECT_THAT(seen, testing::AnyOf(HasSubstr("HOST=clean"), HasSubstr("denied")));
  EXPECT_THAT(seen, testing::Not(HasSubstr("very-secret")));
}

TEST(CommandHost, FindsAProgramInThePathOfTheCommand) {
  CommandHost host(test::host_options());
  Command command = shell("");
  command.texts.argv = {"echo", "found"};
  EXPECT_EQ(text_of(host.run(std::move(command))->out), "found\n");
  Command lost = shell("");
  lost.texts = {.argv = {"echo", "found"}, .environment = {"PATH=/proc"}};
  const Result<CommandOutcome> outcome = host.run(std::move(lost));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ErrorCode::NotFound);
  EXPECT_THAT(outcome.error().message, HasSubstr("'echo'"));
}

TEST(CommandHost, SaysWhyAProgramCannotBeStarted) {
  CommandHost host(test::host_options());
  Command command = shell(std::string(200'000, ' '));
  const Result<CommandOutcome> outcome = host.run(std::move(command));
  ASSERT_FALSE(outcome.ok());
  EXPECT_THAT(outcome.error().message, HasSubstr("Argument list too long"));
  EXPECT_EQ(output_of(host, "echo next"), "next\n");
}

// REQ: BLT-3
TEST(CommandHost, CutsOutputThatIsTooLong) {
  CommandHost host(test::host_options());
  const Result<CommandOutcome> outcome =
      host.run(shell("echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo last"));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->out.total(), 3'000'011u);
  const std::string text = text_of(outcome->out);
  EXPECT_TRUE(text.starts_with("first\nxxx"));
  EXPECT_TRUE(text.ends_with("xxxlast\n"));
  EXPECT_THAT(text, HasSubstr("\n... (2000011 bytes left out) ...\n"));
}

TEST(CommandHost, RunsManyCommandsAtOnce) {
  CommandHost host(test::host_options());
  constexpr int kCommands = 100;
  std::vector<std::string> outputs(kCommands);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kCommands; ++i)
      threads.emplace_back([&host, &outputs, i] {
        outputs[static_cast<std::size_t>(i)] = output_of(host, "echo " + std::to_string(i));
      });
  }
  for (int i = 0; i < kCommands; ++i)
    EXPECT_EQ(outputs[static_cast<std::size_t>(i)], std::to_string(i) + "\n");
}

TEST(CommandHost, StartsItsProcessOnceAndEndsItWithItself) {
  const std::vector<pid_t> before = children_of(::getpid());
  {
    CommandHost host(test::host_options());
    EXPECT_EQ(children_of(::getpid()), before);
    const std::string first = output_of(host, "cut -d' ' -f4 /proc/$PPID/stat");
    EXPECT_EQ(output_of(host, "cut -d' ' -f4 /proc/$PPID/stat"), first);
    EXPECT_EQ(children_of(::getpid()).size(), before.size() + 1);
  }
  EXPECT_EQ(children_of(::getpid()), before);
}

TEST(CommandHost, LeavesNoDescriptorOpen) {
  CommandHost host(test::host_options());
  const auto count = [] {
    std::size_t open = 0;
    for (int fd = 0; fd < 1024; ++fd)
      open += ::fcntl(fd, F_GETFD) >= 0 ? 1u : 0u;
    return open;
  };
  EXPECT_EQ(output_of(host, "echo a"), "a\n");
  const std::size_t before = count();
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(output_of(host, "echo a"), "a\n");
  EXPECT_EQ(count(), before);
}

TEST(CommandHost, SaysThatItsProgramIsMissing) {
  CommandHost host({.program = "/no/such/gdn"});
  const Result<void> started = host.start();
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(started.error().message, HasSubstr("/no/such/gdn"));
}

TEST(CommandHost, SaysThatItsProgramIsAnother) {
  CommandHost host({.program = "/bin/true"});
  const Result<CommandOutcome> outcome = host.run(shell("echo a"));
  ASSERT_FALSE(outcome.ok());
}

}  // namespace
}  // namespace goondan::os
