// Running commands, each with an end to everything it starts.
//
// A process of its own, `gdn command-host`, starts them: it is small, so that starting costs
// little, and its environment holds no secret that a command could read from its ancestors. Each
// command has a supervisor there (`command_supervisor.h`) that ends all of it when the command
// ends, when it is told to, and when gdn or the host dies. The host does so for a supervisor that
// was killed, and gdn for both (`own_children.h`, where it also says what cannot be held).
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "os/child.h"
#include "os/command_output.h"
#include "os/command_protocol.h"
#include "os/unique_fd.h"

namespace goondan::os {

// How long a command has between being asked to end and being killed.
inline constexpr std::chrono::milliseconds kTerminateTime{150};
// How long after its deadline a command is answered at the latest, whatever it does.
inline constexpr std::chrono::milliseconds kAnswerAfterDeadline{400};
// How long the output of a command is read after its end, if something else still holds it open.
inline constexpr std::chrono::seconds kDrainTime{1};

struct Command {
  // A name without a slash is searched in the `PATH` of `texts.environment`.
  CommandTexts texts;
  UniqueFd folder;  // to start in
  Deadline deadline = Deadline::max();
  std::stop_token stop = {};
};

struct CommandOutcome {
  enum class End {
    ByItself,
    TimedOut,  // asked to end at the deadline, then killed with everything it had started
    Stopped,   // killed with everything it had started; the output is not complete
  };

  End end = End::ByItself;
  ExitStatus status = {};
  CommandOutput out = {};
  CommandOutput err = {};
  std::size_t background = 0;  // processes that it left running, ended by us
  Clock::duration duration = {};
};

struct CommandHostOptions {
  std::filesystem::path program = {};         // to run as `PROGRAM command-host`; empty: our own
  std::vector<std::string> environment = {};  // of the host, not of the commands
};

// Thread-safe: any number of commands at once. The host is started with the first command, and
// again if it has died. Destroying it ends the host; no command may be under way then.
class CommandHost {
 public:
  explicit CommandHost(CommandHostOptions options);
  ~CommandHost();
  CommandHost(const CommandHost&) = delete;
  CommandHost& operator=(const CommandHost&) = delete;

  // Starts the host now if it does not run. Fails with `E_HOST_UNAVAILABLE` or `E_IO`.
  Result<void> start();

  // Runs a command on the caller's thread. Its standard input is empty. Fails as `start` does, with
  // `E_NOT_FOUND` or `E_IO` if the program cannot be started, and with `E_TOOL_CRASH` if somebody
  // killed its supervisor or the host.
  Result<CommandOutcome> run(Command command);

 private:
  class Process;

  Result<std::shared_ptr<Process>> process();
  void forget(const std::shared_ptr<Process>& dead);
  // Returns the process that got it.
  Result<std::shared_ptr<Process>> send(const CommandTexts& texts, const CommandFds& fds,
                                        Deadline deadline, const StopWaker& stop);

  CommandHostOptions options_;
  std::mutex mutex_;
  std::shared_ptr<Process> process_;  // shared with the threads that send to it
};

}  // namespace goondan::os
