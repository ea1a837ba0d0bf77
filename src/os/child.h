// Starting a child process, and owning it.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include <goondan/result.h>

#include "os/unique_fd.h"
#include "os/wait.h"

namespace goondan::os {

// How a process ended. A value.
struct ExitStatus {
  enum class How { Exited, Signalled, Unknown };  // unknown: someone else has reaped it

  How how = How::Unknown;
  int number = 0;  // the exit code or the signal

  [[nodiscard]] bool success() const { return how == How::Exited && number == 0; }
  // "exit code 3", "SIGSEGV", "unknown status"
  [[nodiscard]] std::string text() const;

  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

struct ChildFd {
  int source;  // a descriptor of ours, borrowed for the spawn
  int target;  // its number in the child
};

struct ChildOptions {
  // Inherit: the parent's group. Group: one of its own, so that signals of the terminal do not
  // reach it. Session: also no terminal at all.
  enum class Leads { Nothing, Group, Session };

  std::vector<std::string> argv;  // argv[0] is searched in PATH if it holds no slash
  std::optional<std::vector<std::string>> environment = {};  // "NAME=value"; none: ours
  std::string folder = {};                                   // to start in; empty: ours
  // Standard input, output and error are ours unless given here. Every other descriptor that is
  // not given here is closed.
  std::vector<ChildFd> fds = {};
  Leads leads = Leads::Group;
};

// A running child. All its signals are at their defaults. Not destroyed before it has ended: the
// destructor kills it with everything it started and reaps it. Thread-compatible.
class Child {
 public:
  // Fails with `E_NOT_FOUND` if there is no such program, else with `E_IO`. Safe in a process with
  // many threads: nothing of ours runs between fork and exec.
  static Result<Child> spawn(const ChildOptions& options);

  Child(Child&&) noexcept = default;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Becomes readable when the child ends.
  [[nodiscard]] int pidfd() const { return pidfd_.get(); }
  [[nodiscard]] bool running() const;

  // Waits for the end and reaps. Nothing if the deadline or the stop came first.
  std::optional<ExitStatus> wait(Deadline deadline, const StopWaker& stop = StopWaker());

  // Kills the child and its descendants (see `kill_tree`), and reaps it.
  ExitStatus kill();

 private:
  Child(pid_t pid, UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

  pid_t pid_;
  UniqueFd pidfd_;  // empty: moved from
  std::optional<ExitStatus> status_;
};

}  // namespace goondan::os
