// The orchestrator behind a `gdn run`: one that runs already, or one that is started here and ends
// with us.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/orchestrator_client.h"
#include "os/child.h"

namespace goondan::cli {

struct LinkOptions {
  std::filesystem::path workspace_folder = {};
  std::filesystem::path bundle = {};
  std::string swarm = {};
  std::filesystem::path state_root = {};
  std::optional<std::string> env_file = {};
  Answer watch = Answer::No;
};

// Thread-compatible. Owns the connection and, if it was started here, the process: its destructor
// kills what is left of it.
class Link {
 public:
  explicit Link(LinkOptions options) : options_(std::move(options)) {}

  // Connects to the one that runs in the workspace, or starts one, which says `started` or
  // `start_failed` first.
  Result<void> open();
  // Only the first; `E_NOT_RUNNING` if none runs.
  Result<void> attach();

  [[nodiscard]] bool connected() const { return client_.has_value(); }
  [[nodiscard]] bool own() const { return child_.has_value(); }
  OrchestratorClient& client() { return *client_; }
  // What an own one writes on its standard error; -1: nothing comes any more.
  [[nodiscard]] int log_fd() const { return log_.get(); }
  // Takes what has come of it, at most one piece; an empty text at its end.
  std::string read_log();

  // The connection has ended: lets go of it. An own one that does not end by itself is killed, with
  // its agents. Says how it ended; nothing for one that was not ours.
  std::optional<os::ExitStatus> close(Deadline deadline);

 private:
  Result<void> start();

  LinkOptions options_;
  std::optional<OrchestratorClient> client_;
  std::optional<os::Child> child_;
  os::UniqueFd log_;
};

}  // namespace goondan::cli
