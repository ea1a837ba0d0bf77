#include "os/command_watch.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "os/os_error.h"

namespace goondan::os {
namespace {

// So that a command that prints much has to wait less often for us. More would soon reach what one
// user may have in all its pipes.
constexpr int kPipeBytes = 1 << 18;
// How long a command that is killed at once may take to be gone.
constexpr std::chrono::seconds kKillTime{1};
// How long a supervisor may take to end its command after the command host is gone.
constexpr std::chrono::seconds kLostTime{1};

Error not_started(const std::string& program, int number) {
  Error error = os_error("cannot start '" + program + "'", number);
  if (number == ENOENT) error.code = ErrorCode::NotFound;
  if (number == E2BIG) error.suggestion = "Pass what is long in a file.";
  if (number == EAGAIN) error.suggestion = "Too many processes run; end some first.";
  return error;
}

Error supervisor_lost() {
  return {.code = ErrorCode::ToolCrash,
          .message = "the process that runs commands ended, and this command did not finish",
          .suggestion = "It may have done part of its work; check before running it again."};
}

ExitStatus status_of(const CommandReport& report) {
  return {.how = report.how == CommandReport::How::Exited ? ExitStatus::How::Exited
                                                          : ExitStatus::How::Signalled,
          .number = report.number};
}

}  // namespace

Result<std::pair<UniqueFd, UniqueFd>> make_output_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return os_error("cannot make a pipe", errno);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  // Refused where the user has many pipes already; then it stays smaller.
  ::fcntl(ends[0], F_SETPIPE_SZ, kPipeBytes);
  return std::pair(UniqueFd(ends[0]), UniqueFd(ends[1]));
}

CommandWatch::CommandWatch(Fds fds, Deadline deadline, const StopWaker& stop)
    : fds_(std::move(fds)),
      stop_(stop),
      next_(deadline),
      give_up_(deadline == Deadline::max() ? deadline : deadline + kAnswerAfterDeadline) {}

Result<CommandOutcome> CommandWatch::run(const std::string& program) {
  while (!finished())
    step();
  if (outcome_.end == CommandOutcome::End::Stopped) return std::move(outcome_);
  if (!report_ && !fds_.control) return supervisor_lost();
  if (report_ && report_->how == CommandReport::How::NotStarted)
    return not_started(program, report_->number);
  // Without a report it was killed and is not gone yet; its supervisor goes on.
  const CommandReport report =
      report_.value_or(CommandReport{.how = CommandReport::How::Signalled,
                                     .number = SIGKILL,
                                     .when = CommandReport::When::AfterOrder});
  outcome_.status = status_of(report);
  outcome_.background = report.background;
  if (report.when == CommandReport::When::AfterOrder) outcome_.end = CommandOutcome::End::TimedOut;
  return std::move(outcome_);
}

bool CommandWatch::finished() const {
  return phase_ == Phase::Over || (report_ && !fds_.out && !fds_.err);
}

void CommandWatch::step() {
  std::array<pollfd, 4> fds{pollfd{.fd = fds_.out.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = fds_.err.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = fds_.control.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = fds_.host, .events = POLLIN, .revents = 0}};
  if (wait_any(fds, next_, stop_) == Wake::Stopped) {
    stop_now();
    return;
  }
  read(fds_.out, fds[0].revents, outcome_.out);
  read(fds_.err, fds[1].revents, outcome_.err);
  if (fds[2].revents != 0) take_report();
  if (fds[3].revents != 0) lose_host();
  // Output that never ends must not keep the time from passing.
  if (next_ <= Clock::now()) next_phase();
}

void CommandWatch::read(UniqueFd& pipe, short events, CommandOutput& into) {
  if (events == 0) return;
  ssize_t count = 0;
  if ((events & POLLIN) != 0) {
    const std::span<char> room = into.room();
    count = ::read(pipe.get(), room.data(), room.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  }
  if (count > 0) {
    into.add(static_cast<std::size_t>(count));
  } else {
    pipe.reset();
  }
}

void CommandWatch::take_report() {
  CommandReport report;
  const Received received = receive_report(fds_.control.get(), report);
  if (received == Received::Nothing) return;
  fds_.control.reset();
  phase_ = Phase::Over;
  if (received != Received::Message) return;
  report_ = report;
  if (report.how == CommandReport::How::NotStarted) return;
  phase_ = Phase::Draining;
  next_ = std::min(Clock::now() + kDrainTime, give_up_);
}

// A supervisor that somebody keeps from ending its command is not waited for much longer.
void CommandWatch::lose_host() {
  fds_.host = -1;
  if (phase_ == Phase::Draining || phase_ == Phase::Over) return;
  phase_ = Phase::Lost;
  next_ = std::min(Clock::now() + kLostTime, give_up_);
}

void CommandWatch::next_phase() {
  switch (phase_) {
    case Phase::Running:
      send_order(fds_.control.get(), CommandOrder::Terminate);
      phase_ = Phase::Terminating;
      next_ = Clock::now() + kTerminateTime;
      return;
    case Phase::Terminating:
      send_order(fds_.control.get(), CommandOrder::Kill);
      phase_ = Phase::Killing;
      next_ = give_up_;
      return;
    case Phase::Lost:
      fds_.control.reset();
      phase_ = Phase::Over;
      return;
    case Phase::Killing:
    case Phase::Draining:
    case Phase::Over:
      phase_ = Phase::Over;
      return;
  }
}

void CommandWatch::stop_now() {
  outcome_.end = CommandOutcome::End::Stopped;
  phase_ = Phase::Over;
  if (!fds_.control) return;
  send_order(fds_.control.get(), CommandOrder::Kill);
  const Deadline deadline = Clock::now() + kKillTime;
  CommandReport ignored;
  while (wait_readable(fds_.control.get(), deadline, StopWaker()) == Wake::Ready &&
         receive_report(fds_.control.get(), ignored) == Received::Nothing) {
  }
}

}  // namespace goondan::os
