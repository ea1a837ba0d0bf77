// One worker process with one plugin in it, seen from gdn.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "host/native/protocol.h"
#include "host/native/worker_process.h"

namespace goondan {

// What a handler has to tidy up once it is told to stop. Then its worker is ended.
inline constexpr std::chrono::milliseconds kCancelGrace{100};

// What a plugin has to load.
inline constexpr std::chrono::seconds kWorkerStartTime{10};

struct WorkerCall {
  std::string_view export_name;
  std::string_view input;    // JSON
  std::string_view context;  // JSON, see `context_text`
  Deadline deadline;
  std::stop_token stop;
  ToolHost& host;  // gets logs, progress and requests, on the caller's thread
};

// Runs one call at a time; one user at a time. Destroying it ends the process with everything it
// started.
class PluginWorker {
 public:
  // Returns when the plugin has been loaded. Load errors are the plugin's own; `E_PLUGIN_LOAD` if
  // it crashed or hung while loading, `E_TOOL_CANCELLED` on a stop.
  static Result<std::unique_ptr<PluginWorker>> start(const WorkerOptions& options,
                                                     Deadline deadline, std::stop_token stop);

  [[nodiscard]] const Hello& hello() const { return hello_; }

  // The handler's answer, or `E_TOOL_CRASH`, `E_TOOL_TIMEOUT`, `E_TOOL_CANCELLED`,
  // `E_TOOL_BAD_REPLY`. Never takes longer than the deadline, the grace and the killing, unless
  // `host` does. After anything but an orderly answer the worker is not usable any more.
  Result<Json> call(const WorkerCall& call);

  [[nodiscard]] bool usable() const { return process_.usable(); }

 private:
  PluginWorker(const WorkerOptions& options, WorkerProcess process);

  Result<void> await_hello(Deadline deadline, const os::StopWaker& stop);
  Result<Json> await_reply(const WorkerCall& call, const os::StopWaker& stop);
  Result<Json> read_reply(const ipc::Frame& frame);
  Result<void> forward(const ipc::Frame& frame, const WorkerCall& call);
  Result<void> answer_request(const ipc::Frame& frame, const WorkerCall& call);
  void cancel();
  [[nodiscard]] bool is_reply(const ipc::Frame& frame) const;

  // Each ends what is left of the process, and says why.
  Error load_failed(const WorkerEvent& event);
  Error crashed(std::string_view doing);
  Error interrupted(WorkerEvent::Kind kind, const WorkerCall& call);
  Error broken(Error problem);

  WorkerOptions options_;
  WorkerProcess process_;
  Hello hello_;
  std::uint64_t last_id_ = 0;
};

}  // namespace goondan
