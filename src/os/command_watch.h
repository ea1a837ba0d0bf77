// The runtime's side of one command: reading what it prints, keeping its time, hearing its end.
#pragma once

#include <array>
#include <utility>

#include "os/command_host.h"

namespace goondan::os {

// A pipe for a command's output: the end to read from, which never blocks, and the end to write to.
Result<std::pair<UniqueFd, UniqueFd>> make_output_pipe();

// Thread-compatible; used once.
class CommandWatch {
 public:
  struct Fds {
    UniqueFd control;
    UniqueFd out;
    UniqueFd err;
    int host = -1;  // of the command host, readable once that is gone; borrowed
  };

  CommandWatch(Fds fds, Deadline deadline, const StopWaker& stop);

  // Until the command has ended and its output is read. `program` is for messages.
  Result<CommandOutcome> run(const std::string& program);

 private:
  enum class Phase { Running, Terminating, Killing, Draining, Lost, Over };

  void step();
  void read(UniqueFd& pipe, short events, CommandOutput& into);
  void take_report();
  void lose_host();
  void next_phase();
  void stop_now();
  [[nodiscard]] bool finished() const;

  Fds fds_;
  const StopWaker& stop_;
  Phase phase_ = Phase::Running;
  Deadline next_;     // when the next phase begins
  Deadline give_up_;  // when there must be an answer
  std::optional<CommandReport> report_;
  CommandOutcome outcome_;
};

}  // namespace goondan::os
