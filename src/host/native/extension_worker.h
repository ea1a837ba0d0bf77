// What the threads of an extension's worker share, and running one call on one of them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "host/native/plugin_library.h"
#include "host/native/running_calls.h"
#include "os/wait.h"

namespace goondan {

// Sends frames on descriptor 3, from any thread. A failure means that the runtime is gone; the main
// thread sees that too and ends the process, so waiting for ever is safe here.
class FrameSender {
 public:
  void send(std::string_view frame);

 private:
  std::mutex mutex_;
  os::StopWaker never_;
};

struct ExtensionWorker {
  FrameSender sender = {};
  RunningCalls calls = {};
  std::mutex mutex = {};  // for what `load` sets
  std::shared_ptr<const PluginLibrary> library = {};
  gdn_host* life = nullptr;
};

// `{method, params}`, with more in it that does not matter here.
struct WorkerJob {
  std::uint64_t id = 0;
  enum class Kind { Load, Other } kind = Kind::Other;
  std::string json = {};
  std::stop_token stop = {};
};

// Runs the call, which `calls` knows, and sends its reply. `worker` must outlive the process.
void serve(ExtensionWorker& worker, const WorkerJob& job);

}  // namespace goondan
