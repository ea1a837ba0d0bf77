#include "os/command_host.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

#include "os/command_watch.h"
#include "os/os_error.h"
#include "os/own_children.h"
#include "os/own_program.h"
#include "os/pidfd.h"

namespace goondan::os {
namespace {

constexpr const char* kHostCommand = "command-host";
// The host's time to end before it is killed.
constexpr std::chrono::seconds kEndTime{3};
// How long it takes at most until a host is seen to be dead that was killed with a supervisor.
constexpr std::chrono::milliseconds kDeathTime{200};
constexpr std::chrono::seconds kOrphanTime{3};

Result<std::pair<UniqueFd, UniqueFd>> make_packet_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return os_error("cannot make a socket", errno);
  return std::pair(UniqueFd(ends[0]), UniqueFd(ends[1]));
}

}  // namespace

// One process, and the socket to it. Closing that is the order to end.
class CommandHost::Process {
 public:
  static Result<std::shared_ptr<Process>> start(const CommandHostOptions& options) {
    std::filesystem::path program = options.program;
    if (program.empty()) program = GDN_TRY(own_program());
    auto sockets = GDN_TRY(make_packet_pair());
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!nothing) return os_error("cannot open /dev/null", errno);
    Child child = GDN_TRY(
        Child::spawn({.argv = {program.string(), kHostCommand},
                      .environment = options.environment,
                      .fds = {{.source = nothing.get(), .target = STDIN_FILENO},
                              {.source = nothing.get(), .target = STDOUT_FILENO},
                              {.source = nothing.get(), .target = STDERR_FILENO},
                              {.source = sockets.second.get(), .target = kCommandHostSocket}},
                      .leads = ChildOptions::Leads::Session}));
    return std::make_shared<Process>(std::move(child), std::move(sockets.first));
  }

  Process(Child child, UniqueFd socket) : child_(std::move(child)), socket_(std::move(socket)) {}
  ~Process() {
    socket_.reset();
    signal_pidfd(child_.pidfd(), SIGCONT);
    if (!child_.wait(Clock::now() + kEndTime)) child_.kill();
    end_orphans(Clock::now() + kOrphanTime);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // A process that somebody stopped goes on.
  [[nodiscard]] bool running() const {
    signal_pidfd(child_.pidfd(), SIGCONT);
    return child_.running();
  }
  // Ends what a command has left that killed its supervisor, and perhaps this process too. If this
  // process still runs, that is its work, and it only must not be kept from it.
  void end_lost_command() const {
    if (running()) wait_readable(child_.pidfd(), Clock::now() + kDeathTime);
    end_orphans(Clock::now() + kOrphanTime);
  }
  [[nodiscard]] int socket() const { return socket_.get(); }
  // Readable once it has ended.
  [[nodiscard]] int pidfd() const { return child_.pidfd(); }

 private:
  Child child_;
  UniqueFd socket_;
};

CommandHost::CommandHost(CommandHostOptions options) : options_(std::move(options)) {}

CommandHost::~CommandHost() = default;

Result<std::shared_ptr<CommandHost::Process>> CommandHost::process() {
  const std::scoped_lock lock(mutex_);
  if (!process_ || !process_->running()) process_ = GDN_TRY(Process::start(options_));
  return process_;
}

void CommandHost::forget(const std::shared_ptr<Process>& dead) {
  const std::scoped_lock lock(mutex_);
  if (process_ == dead) process_.reset();  // `dead` still holds it: nothing is waited for here
}

Result<void> CommandHost::start() {
  GDN_TRY(process());
  return {};
}

Result<std::shared_ptr<CommandHost::Process>> CommandHost::send(const CommandTexts& texts,
                                                                const CommandFds& fds,
                                                                Deadline deadline,
                                                                const StopWaker& stop) {
  std::shared_ptr<Process> first = GDN_TRY(process());
  const Result<void> sent = send_start(first->socket(), texts, fds, deadline, stop);
  if (sent.ok()) return first;
  if (sent.error().code != ErrorCode::Io) return sent.error();
  // It has died since it was looked at. Nothing was sent, so it is safe to try another.
  forget(first);
  std::shared_ptr<Process> second = GDN_TRY(process());
  GDN_TRY(send_start(second->socket(), texts, fds, deadline, stop));
  return second;
}

Result<CommandOutcome> CommandHost::run(Command command) {
  const StopWaker stop(command.stop);
  if (stop.stopped()) return CommandOutcome{.end = CommandOutcome::End::Stopped};
  auto control = GDN_TRY(make_packet_pair());
  auto out = GDN_TRY(make_output_pipe());
  auto err = GDN_TRY(make_output_pipe());
  const Deadline start = Clock::now();
  std::shared_ptr<Process> host;
  {
    const CommandFds fds{.control = std::move(control.second),
                         .out = std::move(out.second),
                         .err = std::move(err.second),
                         .folder = std::move(command.folder)};
    host = GDN_TRY(send(command.texts, fds, command.deadline, stop));
  }  // our copies are closed, so that the end of the output can be seen
  CommandWatch watch({.control = std::move(control.first),
                      .out = std::move(out.first),
                      .err = std::move(err.first),
                      .host = host->pidfd()},
                     command.deadline, stop);
  Result<CommandOutcome> outcome = watch.run(command.texts.argv.front());
  if (outcome.ok()) {
    outcome->duration = Clock::now() - start;
  } else if (outcome.error().code == ErrorCode::ToolCrash) {
    host->end_lost_command();
  }
  return outcome;
}

}  // namespace goondan::os
