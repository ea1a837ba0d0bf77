#include "host/peer/peer_child.h"

#include <array>
#include <cerrno>
#include <fcntl.h>

#include "host/peer/peer_reader.h"
#include "ipc/frame_io.h"
#include "os/os_error.h"
#include "os/supervised_child.h"

namespace goondan::peer {
namespace {

constexpr int kPeerSocket = 3;

struct Pipe {
  os::UniqueFd read;
  os::UniqueFd write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return os::os_error("cannot make a pipe", errno);
  Pipe pipe{.read = os::UniqueFd(ends[0]), .write = os::UniqueFd(ends[1])};
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

struct Spawned {
  os::Child process;
  os::UniqueFd socket;
  os::UniqueFd output;
  os::UniqueFd errors;
};

Result<Spawned> spawn(os::ChildOptions options) {
  auto sockets = GDN_TRY(ipc::make_socket_pair());
  Pipe output = GDN_TRY(make_pipe());
  Pipe errors = GDN_TRY(make_pipe());
  const os::UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing) return os::os_error("cannot open '/dev/null'", errno);
  options.fds = {{.source = nothing.get(), .target = STDIN_FILENO},
                 {.source = output.write.get(), .target = STDOUT_FILENO},
                 {.source = errors.write.get(), .target = STDERR_FILENO},
                 {.source = sockets.second.get(), .target = kPeerSocket}};
  os::Child process = GDN_TRY(os::spawn_supervised(std::move(options)));
  return Spawned{.process = std::move(process),
                 .socket = std::move(sockets.first),
                 .output = std::move(output.read),
                 .errors = std::move(errors.read)};
}

Error cannot_start(const std::string& name, Error error) {
  error.message = name + ": " + error.message;
  if (error.code != ErrorCode::HostUnavailable) error.code = ErrorCode::HostUnavailable;
  return error;
}

}  // namespace

PeerChild::PeerChild(std::string name, std::shared_ptr<Connection> connection,
                     WorkerThreads& threads)
    : name_(std::move(name)), connection_(std::move(connection)), threads_(threads) {}

Result<std::shared_ptr<PeerChild>> PeerChild::start(const PeerProcessOptions& options,
                                                    Surroundings surroundings) {
  os::ChildOptions child = GDN_TRY(options.child());
  Result<Spawned> spawned = spawn(std::move(child));
  if (!spawned.ok()) return cannot_start(options.name, spawned.error());
  auto connection = GDN_TRY(Connection::make(std::move(spawned->socket)));
  auto reader =
      std::make_unique<PeerReader>(PeerReader::Parts{.name = options.name,
                                                     .connection = connection,
                                                     .process = std::move(spawned->process),
                                                     .output = std::move(spawned->output),
                                                     .errors = std::move(spawned->errors),
                                                     .hello_by = Clock::now() + options.start_time,
                                                     .listeners = surroundings.listeners});
  GDN_TRY(surroundings.threads.start([connection, reader = std::move(reader)]() mutable {
    reader->run();
    reader.reset();  // closes its pipes before anybody hears that it is gone
    connection->set_phase(Connection::Phase::Finished);
  }));
  return std::make_shared<PeerChild>(options.name, connection, surroundings.threads);
}

Result<void> PeerChild::await_hello() {
  const auto phase = connection_->await_phase(Connection::Phase::Ready);
  if (phase == Connection::Phase::Ready) return {};
  return end_error();
}

void PeerChild::end() {
  connection_->order_end({.code = ErrorCode::HostUnavailable, .message = "it is no longer needed"});
}

void PeerChild::await_gone() {
  connection_->await_phase(Connection::Phase::Finished);
}

}  // namespace goondan::peer
