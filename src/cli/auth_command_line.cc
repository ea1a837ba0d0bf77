#include "cli/auth_command_line.h"

#include <memory>

#include <CLI/CLI.hpp>

#include "cli/auth_commands.h"

namespace goondan::cli {
namespace {

using AuthAction = std::function<ExitCode()>;

constexpr std::int64_t kLongestLoginSeconds = 86'400;

Answer auth_answer(bool flag) {
  return flag ? Answer::Yes : Answer::No;
}

void add_auth_state(CLI::App& command, AuthPlace& place) {
  command.add_option("--state-root", place.state_root,
                     "Folder of the state (default: $GOONDAN_STATE_ROOT, else ~/.goondan)");
}

// For commands that speak with a provider.
void add_auth_bundle(CLI::App& command, AuthPlace& place) {
  add_auth_state(command, place);
  command.add_option("--bundle", place.bundle, "Folder with goondan.yaml (default: this one)");
  command.add_option("--env-file", place.env_file,
                     "File of variables, read after .env and .env.local");
  command
      .add_option("--allow-host", place.allow_hosts,
                  "HOST[:PORT] that may be reached though it is not public; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void declare_login(CLI::App& auth, AuthAction& action) {
  CLI::App* command = auth.add_subcommand("login", "Connect an application: asks for consent");
  auto request = std::make_shared<AuthLoginRequest>();
  auto json = std::make_shared<bool>(false);
  auto quiet = std::make_shared<bool>(false);
  auto timeout = std::make_shared<std::int64_t>(0);
  command->add_option("app", request->app, "Name of the OAuthApp")->required();
  command->add_option("--subject", request->subject,
                      "Whose token it will be: global=TEXT or user=TEXT, as turn.auth.subjects "
                      "has it (default: the only one known)");
  command
      ->add_option("--scope", request->scopes,
                   "Only this scope of the application's; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--timeout", *timeout, "Seconds to wait (default: as long as the link is good)")
      ->check(CLI::Range(std::int64_t{1}, kLongestLoginSeconds));
  command->add_flag("--no-browser", *quiet, "Only print the link");
  command->add_flag("--json", *json, "Two lines of JSON: the link, then what became of it");
  add_auth_bundle(*command, request->place);
  command->callback([&action, request, json, quiet, timeout] {
    request->json = auth_answer(*json);
    request->browser = auth_answer(!*quiet);
    request->timeout = std::chrono::seconds(*timeout);
    action = [request] { return run_auth_login(*request); };
  });
}

void declare_auth_list(CLI::App& auth, AuthAction& action) {
  CLI::App* command = auth.add_subcommand("list", "What is connected, and what waits for consent");
  auto request = std::make_shared<AuthListRequest>();
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  add_auth_state(*command, request->place);
  command->callback([&action, request, json] {
    request->json = auth_answer(*json);
    action = [request] { return run_auth_list(*request); };
  });
}

void declare_status(CLI::App& auth, AuthAction& action) {
  CLI::App* command = auth.add_subcommand("status", "Whether an application is connected");
  auto request = std::make_shared<AuthStatusRequest>();
  auto json = std::make_shared<bool>(false);
  command->add_option("app", request->app, "Name of the OAuthApp")->required();
  command->add_option("--subject", request->subject, "Only this one (default: all)");
  command->add_flag("--json", *json, "As JSON");
  add_auth_state(*command, request->place);
  command->callback([&action, request, json] {
    request->json = auth_answer(*json);
    action = [request] { return run_auth_status(*request); };
  });
}

void declare_logout(CLI::App& auth, AuthAction& action) {
  CLI::App* command =
      auth.add_subcommand("logout", "Revoke the token at the provider and forget it");
  auto request = std::make_shared<AuthLogoutRequest>();
  auto json = std::make_shared<bool>(false);
  auto all = std::make_shared<bool>(false);
  command->add_option("app", request->app, "Name of the OAuthApp")->required();
  CLI::Option* subject =
      command->add_option("--subject", request->subject, "Whose (default: the only one there is)");
  command->add_flag("--all", *all, "All of the application's")->excludes(subject);
  command->add_flag("--json", *json, "As JSON");
  add_auth_bundle(*command, request->place);
  command->callback([&action, request, json, all] {
    request->json = auth_answer(*json);
    request->all = auth_answer(*all);
    action = [request] { return run_auth_logout(*request); };
  });
}

void declare_rotate(CLI::App& auth, AuthAction& action) {
  CLI::App* command =
      auth.add_subcommand("rotate-key", "Seal all tokens with a new key and forget the old one");
  auto request = std::make_shared<AuthRotateRequest>();
  add_auth_state(*command, request->place);
  command->callback(
      [&action, request] { action = [request] { return run_auth_rotate_key(*request); }; });
}

}  // namespace

void declare_auth_commands(CLI::App& app, AuthAction& action) {
  CLI::App* auth = app.add_subcommand("auth", "OAuth: login, list, status, logout, rotate-key");
  auth->require_subcommand(1);
  auth->footer(
      "\nFor example:  gdn auth login slack-bot --subject global=slack:team:T0123\n"
      "              gdn auth list");
  declare_login(*auth, action);
  declare_auth_list(*auth, action);
  declare_status(*auth, action);
  declare_logout(*auth, action);
  declare_rotate(*auth, action);
}

}  // namespace goondan::cli
