// Calls a plugin in a worker and waits, for tests that kill the caller:
// caller WORKER PLUGIN EXPORT INPUT
#include <cstdio>
#include <signal.h>
#include <sys/prctl.h>

#include "host/native/plugin_worker.h"

namespace {

class Silence final : public goondan::ToolHost {
 public:
  void log(goondan::LogLevel, std::string_view) override {}
  void progress(const goondan::Progress&) override {}
  goondan::Result<goondan::Json> request(std::string_view, const goondan::Json&) override {
    return nullptr;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is interrupted leaves nothing behind
  const goondan::Deadline deadline = goondan::Clock::now() + std::chrono::minutes(5);
  const auto worker = goondan::PluginWorker::start(
      {.program = argv[1], .plugin = argv[2], .name = "called"}, deadline, {});
  if (!worker.ok()) {
    std::fprintf(stderr, "%s\n", worker.error().message.c_str());
    return 1;
  }
  Silence host;
  const auto result = (*worker)->call({.export_name = argv[3],
                                       .input = argv[4],
                                       .context = "{}",
                                       .deadline = deadline,
                                       .stop = {},
                                       .host = host});
  return result.ok() ? 0 : 1;
}
