#include "cli/run_link.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "ipc/frame_io.h"
#include "os/os_error.h"
#include "os/own_children.h"
#include "os/own_program.h"

namespace goondan::cli {
namespace {

constexpr int kOwnerFd = 3;
constexpr std::size_t kLogChunk = 8'192;
// For agents whose orchestrator has died to be ended.
constexpr std::chrono::seconds kOrphanTime{5};

std::vector<std::string> command(const LinkOptions& options, const std::filesystem::path& program) {
  std::vector<std::string> argv{
      program.string(), "orchestrator", "--bundle",     options.bundle.string(),
      "--swarm",        options.swarm,  "--state-root", options.state_root.string()};
  if (options.watch == Answer::Yes) argv.emplace_back("--watch");
  if (options.env_file) {
    argv.emplace_back("--env-file");
    argv.push_back(*options.env_file);
  }
  return argv;
}

struct Pipe {
  os::UniqueFd out;
  os::UniqueFd in;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return os::os_error("cannot make a pipe", errno);
  return Pipe{.out = os::UniqueFd(ends[0]), .in = os::UniqueFd(ends[1])};
}

}  // namespace

Result<void> Link::open() {
  const Result<void> attached = attach();
  if (attached.ok() || attached.error().code != ErrorCode::NotRunning) return attached;
  return start();
}

Result<void> Link::attach() {
  OrchestratorClient client = GDN_TRY(OrchestratorClient::connect(options_.workspace_folder));
  client_ = std::move(client);
  return {};
}

Result<void> Link::start() {
  const std::filesystem::path program = GDN_TRY(os::own_program());
  auto [ours, theirs] = GDN_TRY(ipc::make_socket_pair());
  Pipe log = GDN_TRY(make_pipe());
  ::fcntl(log.out.get(), F_SETFL, O_NONBLOCK);
  const os::UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing) return os::os_error("cannot open '/dev/null'", errno);
  os::Child child =
      GDN_TRY(os::Child::spawn({.argv = command(options_, program),
                                .fds = {{.source = nothing.get(), .target = STDIN_FILENO},
                                        {.source = log.in.get(), .target = STDOUT_FILENO},
                                        {.source = log.in.get(), .target = STDERR_FILENO},
                                        {.source = theirs.get(), .target = kOwnerFd}},
                                .leads = os::ChildOptions::Leads::Session}));
  child_ = std::move(child);
  client_.emplace(std::move(ours));
  log_ = std::move(log.out);
  return {};
}

std::string Link::read_log() {
  std::array<char, kLogChunk> chunk;
  while (true) {
    const ssize_t got = ::read(log_.get(), chunk.data(), chunk.size());
    if (got > 0) return {chunk.data(), static_cast<std::size_t>(got)};
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 || errno != EAGAIN) log_.reset();
    return {};
  }
}

std::optional<os::ExitStatus> Link::close(Deadline deadline) {
  client_.reset();
  if (!child_) return std::nullopt;
  std::optional<os::ExitStatus> status = child_->wait(deadline);
  if (!status) status = child_->kill();
  child_.reset();
  // Its agents have come to us.
  os::end_orphans(Clock::now() + kOrphanTime);
  return status;
}

}  // namespace goondan::cli
