#include "host/native/worker_process.h"

#include <array>

#include "host/native/protocol.h"

namespace goondan {
namespace {

// The supervisor's time to clean up before it is killed itself.
constexpr std::chrono::seconds kEndTime{3};

constexpr const char* kWorkerCommand = "plugin-worker";

}  // namespace

Result<WorkerProcess> WorkerProcess::start(const WorkerOptions& options) {
  auto calls = GDN_TRY(ipc::make_socket_pair());
  auto control = GDN_TRY(ipc::make_socket_pair());
  os::Child child = GDN_TRY(
      os::Child::spawn({.argv = {options.program.string(), kWorkerCommand, options.plugin.string()},
                        .fds = {{.source = calls.second.get(), .target = kCallSocket},
                                {.source = control.second.get(), .target = kControlSocket}},
                        .leads = os::ChildOptions::Leads::Session}));
  return WorkerProcess(std::move(child),
                       {.calls = std::move(calls.first), .control = std::move(control.first)});
}

WorkerProcess::WorkerProcess(os::Child child, Sockets sockets)
    : child_(std::move(child)), sockets_(std::move(sockets)), reader_(sockets_.calls.get()) {}

WorkerProcess::~WorkerProcess() {
  if (sockets_.calls) end();
}

bool WorkerProcess::usable() const {
  return sockets_.calls && child_.running();
}

WorkerEvent WorkerProcess::next_event(Deadline deadline, const os::StopWaker& stop) {
  using Kind = WorkerEvent::Kind;
  std::array<pollfd, 2> fds{pollfd{.fd = sockets_.calls.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = child_.pidfd(), .events = POLLIN, .revents = 0}};
  while (true) {
    if (stop.stopped()) return {.kind = Kind::Stopped};
    if (deadline <= Clock::now()) return {.kind = Kind::TimedOut};
    Result<std::optional<ipc::Frame>> frame = reader_.next();
    if (!frame.ok()) return {.kind = Kind::Garbage, .problem = std::move(frame).error()};
    if (frame->has_value()) return {.kind = Kind::Frame, .frame = frame->value()};
    if (os::wait_any(fds, deadline, stop) != os::Wake::Ready) continue;
    // Its last words come before its end.
    if (fds[0].revents == 0) return {.kind = Kind::Ended};
    const auto filled = reader_.fill(ipc::FrameReader::Block::No);
    if (!filled.ok() || *filled == ipc::FrameReader::Fill::End) return {.kind = Kind::Ended};
  }
}

Result<void> WorkerProcess::send_call(const ipc::Frame& frame, Deadline deadline,
                                      const os::StopWaker& stop) {
  return ipc::send_frame(sockets_.calls.get(), frame, deadline, stop);
}

Result<void> WorkerProcess::send_control(const ipc::Frame& frame, Deadline deadline,
                                         const os::StopWaker& stop) {
  return ipc::send_frame(sockets_.control.get(), frame, deadline, stop);
}

std::optional<os::ExitStatus> WorkerProcess::end_status() {
  return child_.wait(Clock::now() + kEndTime);
}

// Closing the sockets is the order to end. The supervisor carries it out, because it can reap what
// it kills; if it does not, it is killed itself.
void WorkerProcess::end() {
  sockets_.control.reset();
  sockets_.calls.reset();
  if (!child_.wait(Clock::now() + kEndTime)) child_.kill();
}

}  // namespace goondan
