#include <memory>

#include <CLI/CLI.hpp>

#include "cli/bundle_command.h"

namespace goondan::cli {
namespace {

using BundleAction = std::function<ExitCode()>;

constexpr const char* kBundleFolder = "Folder with goondan.yaml (default: this one)";

void declare_bundle_log(CLI::App& bundle, BundleAction& action) {
  CLI::App* command = bundle.add_subcommand("log", "The commits that changed the bundle");
  auto request = std::make_shared<BundleLogRequest>();
  auto json = std::make_shared<bool>(false);
  command->add_option("path", request->path, kBundleFolder);
  command->add_option("--limit", request->limit, "How many to list (default: 20)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  command->add_flag("--json", *json, "As JSON");
  command->callback([&action, request, json] {
    request->json = *json ? Answer::Yes : Answer::No;
    action = [request] { return run_bundle_log(*request); };
  });
}

void declare_bundle_diff(CLI::App& bundle, BundleAction& action) {
  CLI::App* command = bundle.add_subcommand(
      "diff", "What changed between two commits (default: the latest change)");
  auto request = std::make_shared<BundleDiffRequest>();
  command->add_option("from", request->from, "Commit, branch or tag (default: the commit before)");
  command->add_option("to", request->to, "Commit, branch or tag (default: the latest commit)");
  command->add_option("--bundle", request->bundle, kBundleFolder);
  command->callback(
      [&action, request] { action = [request] { return run_bundle_diff(*request); }; });
}

void declare_bundle_rollback(CLI::App& bundle, BundleAction& action) {
  CLI::App* command =
      bundle.add_subcommand("rollback", "Make the bundle what it was, in a new commit");
  auto request = std::make_shared<BundleRollbackRequest>();
  auto json = std::make_shared<bool>(false);
  command->add_option("ref", request->ref,
                      "Commit, branch or tag (default: before the latest change)");
  command->add_option("--bundle", request->bundle, kBundleFolder);
  command->add_option("-m,--message", request->message, "Message of the commit");
  command->add_flag("--json", *json, "As JSON");
  command->callback([&action, request, json] {
    request->json = *json ? Answer::Yes : Answer::No;
    action = [request] { return run_bundle_rollback(*request); };
  });
}

}  // namespace

void declare_bundle_commands(CLI::App& app, BundleAction& action) {
  CLI::App* bundle = app.add_subcommand("bundle", "The history of a bundle: log, diff, rollback");
  bundle->require_subcommand(1);
  declare_bundle_log(*bundle, action);
  declare_bundle_diff(*bundle, action);
  declare_bundle_rollback(*bundle, action);
}

}  // namespace goondan::cli
