// How commands end that do not want to, and what is left of them.
#include <signal.h>
#include <sys/wait.h>
#include <thread>

#include <gmock/gmock.h>

#include "os/command_fixture.h"
#include "os/own_children.h"
#include "os/pidfd.h"
#include "os/process_tree.h"

namespace goondan::os {
namespace {

using test::output_of;
using test::shell;
using test::Survivors;
using test::text_of;

using End = CommandOutcome::End;

Deadline in(std::chrono::milliseconds time) {
  return Clock::now() + time;
}

// A process that nothing but SIGKILL ends, in a session of its own, by a double fork, holding the
// command's output and the given pipe open.
std::string runaway(const Survivors& survivors) {
  return "trap '' TERM INT HUP; (setsid sh -c \"trap '' TERM INT HUP; exec 9>" + survivors.path() +
         "; echo here >&9; (while :; do sleep 100; done) & while :; do sleep 100; done\" &) ; ";
}

TEST(CommandStop, AsksACommandToEndAtItsDeadline) {
  CommandHost host(test::host_options());
  const auto outcome =
      host.run(shell("trap 'echo asked; exit 4' TERM; echo began; sleep 100 & wait",
                     in(std::chrono::milliseconds(3000))));
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(outcome->end, End::TimedOut);
  EXPECT_EQ(text_of(outcome->out), "began\nasked\n");
  EXPECT_EQ(outcome->status, (ExitStatus{.how = ExitStatus::How::Exited, .number = 4}));
}

// REQ: BLT-3
TEST(CommandStop, KillsTheWholeTreeOfACommandThatDoesNotListen) {
  CommandHost host(test::host_options());
  const Survivors survivors;
  const auto outcome =
      host.run(shell(runaway(survivors) + "echo printed; while :; do sleep 100; done",
                     in(std::chrono::milliseconds(2000))));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, End::TimedOut);
  EXPECT_EQ(text_of(outcome->out), "printed\n");
  EXPECT_EQ(outcome->status, (ExitStatus{.how = ExitStatus::How::Signalled, .number = SIGKILL}));
  EXPECT_TRUE(survivors.gone());
}

TEST(CommandStop, EndsWhatACommandLeavesBehind) {
  CommandHost host(test::host_options());
  const Survivors survivors;
  const auto outcome = host.run(
      shell(runaway(survivors) + "cat " + survivors.path() + " >/dev/null & sleep 0.2; echo done"));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, End::ByItself);
  EXPECT_TRUE(outcome->status.success());
  EXPECT_EQ(text_of(outcome->out), "done\n");
  EXPECT_GE(outcome->background, 2u);
  EXPECT_TRUE(survivors.gone());
}

TEST(CommandStop, LetsTheLastProcessOfAPipeFinish) {
  CommandHost host(test::host_options());
  Command command = shell("");
  command.texts.argv = {"/bin/bash", "-c", "exec > >(sleep 0.02; cat); echo through the pipe"};
  const auto outcome = host.run(std::move(command));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(text_of(outcome->out), "through the pipe\n");
  EXPECT_EQ(outcome->background, 0u);
}

TEST(CommandStop, KeepsTimeWhileACommandPrintsWithoutEnd) {
  CommandHost host(test::host_options());
  const auto outcome = host.run(shell("trap '' TERM; yes", in(std::chrono::milliseconds(1000))));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, End::TimedOut);
  EXPECT_TRUE(outcome->out.cut());
}

TEST(CommandStop, KillsACommandWhenItIsStopped) {
  CommandHost host(test::host_options());
  const Survivors survivors;
  std::stop_source source;
  const std::jthread stopper([&] {
    EXPECT_TRUE(survivors.seen());
    source.request_stop();
  });
  Command command = shell(runaway(survivors) + "while :; do sleep 100; done");
  command.stop = source.get_token();
  const auto outcome = host.run(std::move(command));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, End::Stopped);
  EXPECT_TRUE(survivors.gone());
}

TEST(CommandStop, StopsBeforeItBegins) {
  CommandHost host(test::host_options());
  std::stop_source source;
  source.request_stop();
  Command command = shell("sleep 100");
  command.stop = source.get_token();
  const auto outcome = host.run(std::move(command));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, End::Stopped);
}

TEST(CommandStop, ACommandThatKillsItsSupervisorEndsToo) {
  CommandHost host(test::host_options());
  const Survivors survivors;
  const auto outcome = host.run(
      shell(runaway(survivors) + "head -n 1 " + survivors.path() + "; kill -9 $PPID; sleep 100"));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ErrorCode::ToolCrash);
  EXPECT_TRUE(survivors.gone());
  EXPECT_EQ(output_of(host, "echo next"), "next\n");
}

// Else it could stop its supervisor next, and nobody would watch either of them.
TEST(CommandStop, ACommandThatKillsTheProcessThatStartedItEndsToo) {
  CommandHost host(test::host_options());
  const Survivors survivors;
  const auto outcome = host.run(shell(runaway(survivors) + "head -n 1 " + survivors.path() +
                                      "; kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 100"));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ErrorCode::ToolCrash);
  EXPECT_TRUE(survivors.gone());
  EXPECT_EQ(output_of(host, "echo next"), "next\n");
}

// What `gdn` does and a program that uses the library does not: so in a process of its own.
TEST(CommandStop, ACommandThatKillsBothWhoWatchEndsTooWhereOrphansAreAdopted) {
  constexpr std::string_view kParent = "h=$(cut -d' ' -f4 /proc/$PPID/stat); ";
  for (const std::string_view kill :
       {"kill -9 $h $PPID", "kill -9 $PPID $h", "kill -STOP $h; kill -9 $PPID",
        "kill -9 $h; sleep 0.01; kill -STOP $PPID", "kill -STOP $PPID; kill -9 $h"}) {
    const Survivors survivors;
    const pid_t runtime = ::fork();
    ASSERT_GE(runtime, 0);
    if (runtime == 0) {
      adopt_orphans();
      CommandHost host(test::host_options());
      const auto outcome = host.run(shell(std::string(kParent) + runaway(survivors) + "head -n 1 " +
                                          survivors.path() + "; " + std::string(kill) +
                                          "; while :; do sleep 100; done"));
      const bool crash = !outcome.ok() && outcome.error().code == ErrorCode::ToolCrash;
      const bool next = output_of(host, "echo next") == "next\n";
      // Without its destructor, which would also find what was missed.
      ::_exit(crash && next ? 0 : 1);
    }
    int status = 0;
    ::waitpid(runtime, &status, 0);
    EXPECT_EQ(status, 0) << kill;
    EXPECT_TRUE(survivors.gone()) << kill;
  }
}

TEST(CommandStop, StoppingTheProcessThatStartsCommandsDoesNotSaveItFromTheEndOfItsRuntime) {
  const Survivors survivors;
  const pid_t runtime = ::fork();
  ASSERT_GE(runtime, 0);
  if (runtime == 0) {
    CommandHost host(test::host_options());
    [[maybe_unused]] const auto never =
        host.run(shell("h=$(cut -d' ' -f4 /proc/$PPID/stat); g=$(cut -d' ' -f4 /proc/$h/stat);"
                       "echo $h > " +
                       survivors.path() + "; kill -STOP $h; kill -9 $g; sleep 100"));
    ::_exit(0);
  }
  const UniqueFd process = open_pidfd(std::stoi(survivors.line()));
  ::waitpid(runtime, nullptr, 0);
  EXPECT_TRUE(!process || wait_readable(process.get(), test::soon()) == Wake::Ready);
}

TEST(CommandStop, StoppingThoseWhoWatchDoesNotHelpACommand) {
  CommandHost host(test::host_options());
  const Survivors survivors;
  const auto outcome =
      host.run(shell("exec 9>" + survivors.path() + "; trap '' TERM; kill -STOP $PPID; sleep 100",
                     in(std::chrono::milliseconds(2000))));
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, End::TimedOut);
  EXPECT_TRUE(survivors.gone());
  EXPECT_EQ(output_of(host, "kill -STOP $(cut -d' ' -f4 /proc/$PPID/stat); echo stopped"),
            "stopped\n");
  EXPECT_EQ(output_of(host, "echo next"), "next\n");
}

// A pipe can be held by a process that the command did not start.
TEST(CommandStop, OutputThatSomebodyElseHoldsOpenIsNotWaitedForLong) {
  CommandHost host(test::host_options());
  const Survivors began;
  UniqueFd held;
  std::jthread holder([&] {
    held = UniqueFd(::open(("/proc/" + began.line() + "/fd/1").c_str(), O_WRONLY | O_CLOEXEC));
    ::unlink(began.path().c_str());  // what the command waits for
  });
  const auto outcome = host.run(shell("echo printed; echo $$ > " + began.path() + "; while [ -e " +
                                      began.path() + " ]; do sleep 0.01; done"));
  holder.join();
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(held);
  EXPECT_EQ(text_of(outcome->out), "printed\n");
}

TEST(CommandStop, CommandsUnderWayEndWhenTheirRuntimeIsKilled) {
  constexpr std::size_t kCommands = 16;
  const Survivors survivors;
  const pid_t runtime = ::fork();
  ASSERT_GE(runtime, 0);
  if (runtime == 0) {
    CommandHost host(test::host_options());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kCommands; ++i)
      threads.emplace_back([&] {
        [[maybe_unused]] const auto never =
            host.run(shell(runaway(survivors) + "while :; do sleep 100; done"));
      });
    threads.clear();
    ::_exit(0);
  }
  EXPECT_TRUE(survivors.seen(kCommands));
  ::kill(runtime, SIGKILL);
  ::waitpid(runtime, nullptr, 0);
  EXPECT_TRUE(survivors.gone());
}

TEST(CommandStop, NoZombieIsLeft) {
  CommandHost host(test::host_options());
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(output_of(host, "(sleep 0.01 &) ; echo a"), "a\n");
  // The only child of the host that stays is the supervisor of the command that asks.
  EXPECT_EQ(output_of(host,
                      "h=$(cut -d' ' -f4 /proc/$PPID/stat);"
                      "while [ $(wc -w < /proc/$h/task/$h/children) -gt 1 ]; do sleep 0.01; done;"
                      "echo alone"),
            "alone\n");
}

}  // namespace
}  // namespace goondan::os
