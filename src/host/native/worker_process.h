// A worker process and the two sockets to it; nothing yet about what is said over them.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "ipc/frame_io.h"
#include "os/child.h"

namespace goondan {

struct WorkerOptions {
  std::filesystem::path program;  // see `worker_program()`
  std::filesystem::path plugin;   // the shared library
  std::string name;               // the tool's, for messages
};

// What happens next on the worker's side.
struct WorkerEvent {
  enum class Kind {
    Frame,     // it said something
    Garbage,   // it said something that is no frame; `problem` says why
    Ended,     // it is gone
    TimedOut,  // nothing until the deadline
    Stopped,   // nothing until the stop
  };

  Kind kind;
  ipc::Frame frame = {};  // valid until the next event is asked for
  Error problem = {};
};

// One user at a time. Destroying it ends the process with everything that it started.
class WorkerProcess {
 public:
  static Result<WorkerProcess> start(const WorkerOptions& options);

  WorkerProcess(WorkerProcess&&) noexcept = default;
  WorkerProcess& operator=(WorkerProcess&&) = delete;
  ~WorkerProcess();

  [[nodiscard]] bool usable() const;

  // A stop or a deadline counts before anything the worker says, so that one that never stops
  // talking cannot hold the caller.
  WorkerEvent next_event(Deadline deadline, const os::StopWaker& stop);

  // On the socket for calls, and on the one that is heard while a call runs.
  Result<void> send_call(const ipc::Frame& frame, Deadline deadline, const os::StopWaker& stop);
  Result<void> send_control(const ipc::Frame& frame, Deadline deadline, const os::StopWaker& stop);

  // How it ended of its own accord, after the event `Ended`. Nothing if it has only closed its
  // socket and still runs.
  std::optional<os::ExitStatus> end_status();

  // Ends it now, with everything that it started.
  void end();

 private:
  struct Sockets {
    os::UniqueFd calls;
    os::UniqueFd control;
  };

  WorkerProcess(os::Child child, Sockets sockets);

  os::Child child_;
  Sockets sockets_;  // empty: ended, or moved from
  ipc::FrameReader reader_;
};

}  // namespace goondan
