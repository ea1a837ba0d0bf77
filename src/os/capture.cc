#include "os/capture.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "os/os_error.h"

namespace goondan::os {
namespace {

constexpr std::size_t kReadBytes = std::size_t{16} * 1024;
// What a pipe can hold is read after the end; a survivor that prints for ever is not waited for.
constexpr std::size_t kReadsAfterEnd = 64;

enum class Pipe { Open, Empty, Closed };

// Reads once. The pipe does not block.
Pipe read_some(int fd, std::size_t max_output, Captured& into) {
  std::array<char, kReadBytes> buffer;
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return Pipe::Open;
  if (count < 0 && errno == EAGAIN) return Pipe::Empty;
  if (count <= 0) return Pipe::Closed;
  const auto size = static_cast<std::size_t>(count);
  const std::size_t kept = std::min(size, max_output - into.output.size());
  into.output.append(buffer.data(), kept);
  into.bytes_dropped += size - kept;
  return Pipe::Open;
}

// Collects until the child has ended and all it had printed by then is read.
Wake collect(const Child& child, int pipe, const CaptureOptions& options, const StopWaker& stop,
             Captured& into) {
  std::array<pollfd, 2> fds{pollfd{.fd = pipe, .events = POLLIN, .revents = 0},
                            pollfd{.fd = child.pidfd(), .events = POLLIN, .revents = 0}};
  while (true) {
    const Wake wake = wait_any(fds, options.deadline, stop);
    if (wake != Wake::Ready) return wake;
    const bool ended = fds[1].revents != 0;
    if (options.deadline <= Clock::now() && !ended) return Wake::TimedOut;
    Pipe state = read_some(pipe, options.max_output, into);
    for (std::size_t i = 0; ended && state == Pipe::Open && i < kReadsAfterEnd; ++i)
      state = read_some(pipe, options.max_output, into);
    if (ended) return Wake::Ready;
    if (state == Pipe::Closed) fds[0].fd = -1;
  }
}

}  // namespace

Result<Captured> run_captured(CaptureOptions options, const StopWaker& stop) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return os_error("cannot make a pipe", errno);
  const UniqueFd output(ends[0]);
  UniqueFd input(ends[1]);
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  options.child.fds = {{.source = nothing.get(), .target = STDIN_FILENO},
                       {.source = input.get(), .target = STDOUT_FILENO},
                       {.source = input.get(), .target = STDERR_FILENO}};
  Child child = GDN_TRY(Child::spawn(options.child));
  input.reset();
  Captured captured;
  captured.ended = collect(child, output.get(), options, stop, captured);
  captured.status = captured.ended == Wake::Ready
                        ? child.wait(Deadline::max()).value_or(ExitStatus{})
                        : child.kill();
  return captured;
}

}  // namespace goondan::os
