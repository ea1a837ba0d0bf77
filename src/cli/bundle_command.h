// `gdn bundle`: the history of a bundle that its agents and its people change.
#pragma once

#include <functional>
#include <string>

#include "cli/commands.h"

namespace CLI {
class App;
}

namespace goondan::cli {

struct BundleLogRequest {
  std::string path = ".";
  std::size_t limit = 20;
  Answer json = Answer::No;
};
ExitCode run_bundle_log(const BundleLogRequest& request);

struct BundleDiffRequest {
  std::string bundle = ".";
  std::string from;  // empty: the commit before
  std::string to;    // empty: the latest
};
ExitCode run_bundle_diff(const BundleDiffRequest& request);

struct BundleRollbackRequest {
  std::string bundle = ".";
  std::string ref;  // empty: the commit before the latest
  std::string message;
  Answer json = Answer::No;
};
ExitCode run_bundle_rollback(const BundleRollbackRequest& request);

// Once parsed, the command sets `action` to what is to be run.
void declare_bundle_commands(CLI::App& app, std::function<ExitCode()>& action);

}  // namespace goondan::cli
