#include "os/command_supervisor.h"

#include <array>
#include <cerrno>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/command_children.h"
#include "os/command_spawn.h"
#include "os/process_tree.h"

namespace goondan::os {
namespace {

// What the command left running may finish by itself within this time, e.g. the `tee` of
// `command > >(tee log)` that has the last lines still to write.
constexpr std::chrono::milliseconds kLeftoverTime{100};
constexpr std::chrono::seconds kKillTime{5};
constexpr int kLeftSomething = 1;

class Supervisor {
 public:
  Supervisor(pid_t command, pid_t host, UniqueFd control, UniqueFd family)
      : command_(command), host_(host), control_(std::move(control)), family_(std::move(family)) {}

  // Returns the code to end with.
  int run() {
    reap();  // a quick one has ended already
    while (!report_ && order_ != Order::Kill)
      wait(Deadline::max());
    const Deadline leftover_end = Clock::now() + kLeftoverTime;
    while (!alone_ && order_ == Order::None && Clock::now() < leftover_end)
      wait(leftover_end);
    if (!alone_) kill_all();
    // Without one, gdn knows that the command was not meant to end.
    if (report_ && !host_gone()) send_report(control_.get(), *report_);
    return alone_ ? kSupervisorDone : kLeftSomething;
  }

 private:
  enum class Order { None, Terminate, Kill };

  // Waits for the end of a child or for an order, and deals with it.
  void wait(Deadline deadline) {
    std::array<pollfd, 2> fds{pollfd{.fd = family_.get(), .events = POLLIN, .revents = 0},
                              pollfd{.fd = control_.get(), .events = POLLIN, .revents = 0}};
    if (wait_any(fds, deadline, StopWaker()) != Wake::Ready) return;
    if (fds[0].revents != 0) {
      clear_family_event(family_.get());
      reap();
      if (host_gone()) order_ = Order::Kill;
    }
    if (fds[1].revents != 0) take_order();
  }

  [[nodiscard]] bool host_gone() const { return ::getppid() != host_; }

  void take_order() {
    CommandOrder order{};
    const Received received = receive_order(control_.get(), order);
    if (received == Received::Nothing) return;
    if (received == Received::End || order == CommandOrder::Kill) {
      order_ = Order::Kill;
    } else {
      order_ = Order::Terminate;
      if (!report_) ::kill(-command_, SIGTERM);
    }
  }

  // Reaps all that have ended.
  void reap() {
    while (true) {
      siginfo_t info{};
      const int result = ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
      alone_ = result != 0 && errno == ECHILD;
      if (result != 0 || info.si_pid == 0) return;
      if (info.si_pid == command_ && !report_) {
        note_end(info);
      } else if (killing_ && info.si_code == CLD_KILLED && info.si_status == SIGKILL) {
        ++killed_;
      }
    }
  }

  void note_end(const siginfo_t& info) {
    using How = CommandReport::How;
    using When = CommandReport::When;
    report_ = CommandReport{.how = info.si_code == CLD_EXITED ? How::Exited : How::Signalled,
                            .number = info.si_status,
                            .when = order_ == Order::None ? When::ByItself : When::AfterOrder};
  }

  // Since whoever loses its parent becomes our child, none is left exactly when we have no child.
  void kill_all() {
    killing_ = true;
    const bool by_itself = report_ && order_ == Order::None;
    if (!report_) ::kill(-command_, SIGKILL);  // also where there is no /proc to find the others by
    const Deadline deadline = Clock::now() + kKillTime;
    do {
      kill_descendants(::getpid(), deadline);
      reap();
    } while (!alone_ && Clock::now() < deadline);
    if (by_itself) report_->background = killed_;
  }

  pid_t command_;
  pid_t host_;
  UniqueFd control_;
  UniqueFd family_;
  std::optional<CommandReport> report_;
  Order order_ = Order::None;
  bool alone_ = false;    // no child is left
  bool killing_ = false;  // what is killed from now on was killed by us
  std::uint32_t killed_ = 0;
};

// Ends the process if the command is not wanted any more before it has begun.
void end_if_unwanted(const UniqueFd& control) {
  CommandOrder order{};
  switch (receive_order(control.get(), order)) {
    case Received::Nothing:
      return;
    case Received::Message:
      send_report(control.get(), {.how = CommandReport::How::Signalled,
                                  .number = order == CommandOrder::Kill ? SIGKILL : SIGTERM,
                                  .when = CommandReport::When::AfterOrder});
      break;
    case Received::End:
      break;
  }
  ::_exit(kSupervisorDone);
}

[[noreturn]] void refuse(const UniqueFd& control, int number) {
  send_report(control.get(), {.how = CommandReport::How::NotStarted, .number = number});
  ::_exit(kSupervisorDone);
}

}  // namespace

void supervise(StartMessage message, pid_t host) {
  ::prctl(PR_SET_NAME, "gdn-command");  // what `ps` shows
  ask_for_end_of_parent();
  if (::getppid() != host) ::_exit(kSupervisorDone);  // it ended before we asked
  end_if_unwanted(message.fds.control);
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) refuse(message.fds.control, errno);
  const std::optional<CommandTexts> texts = read_texts(message);
  if (!texts) refuse(message.fds.control, EBADMSG);
  UniqueFd family = make_family_event();
  if (!family) refuse(message.fds.control, errno);
  const pid_t command = spawn_command(*texts, message.fds);
  if (command < 0) refuse(message.fds.control, -command);
  Supervisor supervisor(command, host, std::move(message.fds.control), std::move(family));
  message = {};  // closes our ends of the pipes, so that their end can be seen
  ::_exit(supervisor.run());
}

}  // namespace goondan::os
