#include "cli/command_line.h"

#include <array>
#include <map>

#include <CLI/CLI.hpp>

#include <goondan/plugin_abi.h>

#include "base/nearest.h"
#include "cli/auth_command_line.h"
#include "cli/bundle_command.h"
#include "cli/commands.h"
#include "cli/mcp_command_line.h"
#include "cli/state_command_line.h"
#include "cli/terminal.h"
#include "cli/version.h"

namespace goondan::cli {
namespace {

// A command is declared on the parser and, once parsed, sets what is to be run.
using Action = std::function<ExitCode()>;

Answer answer(bool flag) {
  return flag ? Answer::Yes : Answer::No;
}

// An option that may be repeated takes one word each time: what follows may be the message.
void declare_turn_words(CLI::App& command, TurnWords& words) {
  command
      .add_option("--subject", words.subjects,
                  "global=TEXT or user=TEXT: whose tokens of outside services are used")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--origin", words.origin,
                  "KEY=TEXT: where the message came from, for tools; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void declare_call(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("call", "Run one tool with no model and print its result");
  auto request = std::make_shared<CallRequest>();
  auto json = std::make_shared<bool>(false);
  auto timeout = std::make_shared<std::int64_t>(0);
  command->add_option("tool", request->tool, "Name of the tool, <tool>__<export>")->required();
  command->add_option("arguments", request->words,
                      "key=value (typed by the tool's schema) or key:=json");
  command->add_option("--input", request->input, "All arguments as JSON; - reads standard input");
  command->add_option("--bundle", request->bundle, "Folder with goondan.yaml (default: this one)");
  command->add_option("--workdir", request->workdir,
                      "Working folder of the tool (default: this one)");
  command
      ->add_option("--allow-host", request->allow_hosts,
                   "HOST[:PORT] that may be reached though it is not public; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--allow-root", request->allow_roots,
                   "Folder that file tools may read, or DIR:rw to write as well; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--pass-env", request->pass_env,
                   "Secret variable that a shell command may see; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--timeout-ms", *timeout,
                   "Time limit of the call (default: the bundle's policy, else 60000)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400'000}));
  declare_turn_words(*command, request->turn);
  command->add_flag("--json", *json, "Print the result as one line of JSON");
  command->callback([&action, request, json, timeout] {
    request->json = answer(*json);
    request->timeout = std::chrono::milliseconds(*timeout);
    action = [request] { return run_call(*request); };
  });
}

void declare_run(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("run", "Run a swarm of agents and show what they do");
  auto request = std::make_shared<RunRequest>();
  auto flags = std::make_shared<std::array<bool, 4>>();
  command
      ->add_option("words", request->words,
                   "[DIR] [MESSAGE]: folder with goondan.yaml (default: this one); a message to "
                   "the entry agent (default: each line of standard input)")
      ->expected(0, -1);
  command->add_option("--swarm", request->swarm, "Which swarm (default: 'default', or the only)");
  command->add_option("--agent", request->agent, "Who gets the messages (default: entry agent)");
  command->add_option("--instance-key", request->instance_key,
                      "Which conversation of that agent (default: default)");
  command->add_option("--state-root", request->state_root,
                      "Folder for the state (default: $GOONDAN_STATE_ROOT or ~/.goondan)");
  command->add_option("--env-file", request->env_file,
                      "File of variables, read after .env and .env.local");
  command->add_flag("--watch", flags->at(0), "Start agents anew when their files change");
  command->add_flag("--json", flags->at(1), "Print everything that happens as lines of JSON");
  command->add_flag("--wait-handles", flags->at(2), "End when no result is pending any more");
  command->add_flag("--wait-auth", flags->at(3), "End when nobody is asked for consent any more");
  declare_turn_words(*command, request->turn);
  command->callback([&action, request, flags] {
    request->wait_auth = answer(flags->at(3));
    request->watch = answer(flags->at(0));
    request->json = answer(flags->at(1));
    request->wait_handles = answer(flags->at(2));
    action = [request] { return run_swarm(*request); };
  });
}

void declare_tools(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("tools", "List the tools, or show one with its schema");
  auto request = std::make_shared<ToolsRequest>();
  auto json = std::make_shared<bool>(false);
  auto names = std::make_shared<bool>(false);
  static const std::map<std::string, ToolsFormat> kFormats{{"openai", ToolsFormat::OpenAi},
                                                           {"anthropic", ToolsFormat::Anthropic},
                                                           {"mcp", ToolsFormat::Mcp}};
  auto format = std::make_shared<std::string>();
  command->add_option("tool", request->tool, "Show this one only");
  command->add_option("--bundle", request->bundle, "Folder with goondan.yaml (default: this one)");
  command->add_option("--agent", request->agent, "Only what this agent offers");
  CLI::Option* json_flag = command->add_flag("--json", *json, "As JSON");
  CLI::Option* names_flag = command->add_flag("--names", *names, "Only the names");
  names_flag->excludes(json_flag);
  command->add_option("--format", *format, "As a provider wants it: openai, anthropic, mcp")
      ->check(CLI::IsMember({"openai", "anthropic", "mcp"}))
      ->excludes(json_flag)
      ->excludes(names_flag);
  command->callback([&action, request, json, names, format] {
    if (!format->empty()) request->format = kFormats.at(*format);
    if (*json) request->format = ToolsFormat::Json;
    if (*names) request->format = ToolsFormat::Names;
    action = [request] { return run_tools(*request); };
  });
}

void declare_validate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("validate", "Check a bundle and report every problem");
  auto request = std::make_shared<ValidateRequest>();
  auto strict = std::make_shared<bool>(false);
  static const std::map<std::string, ReportFormat> kFormats{
      {"text", ReportFormat::Text}, {"json", ReportFormat::Json}, {"github", ReportFormat::GitHub}};
  auto format = std::make_shared<std::string>("text");
  command->add_option("path", request->path, "Folder with goondan.yaml (default: this one)");
  command->add_flag("--strict", *strict, "Warnings are errors");
  command->add_option("--format", *format, "text, json or github")
      ->check(CLI::IsMember({"text", "json", "github"}));
  command->add_flag_callback(
      "--json", [format] { *format = "json"; }, "The same as --format json");
  command->callback([&action, request, strict, format] {
    request->format = kFormats.at(*format);
    request->strict = answer(*strict);
    action = [request] { return run_validate(*request); };
  });
}

void declare_init(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("init", "Make a new bundle");
  auto request = std::make_shared<InitRequest>();
  auto force = std::make_shared<bool>(false);
  auto git = std::make_shared<bool>(false);
  command->add_option("path", request->path, "Folder to make it in (default: this one)");
  command->add_option("-n,--name", request->name, "Name of the package (default: the folder's)");
  command->add_flag("-f,--force", *force, "Overwrite files that exist");
  command->add_flag("--git,!--no-git", *git, "Also make a Git repository (default: no)");
  command->callback([&action, request, force, git] {
    request->force = answer(*force);
    request->git = answer(*git);
    action = [request] { return run_init(*request); };
  });
}

void declare_new(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("new", "Make a new part of a bundle");
  command->require_subcommand(1);
  CLI::App* tool = command->add_subcommand("tool", "A tool that builds and runs at once");
  auto request = std::make_shared<NewToolRequest>();
  auto force = std::make_shared<bool>(false);
  auto language = std::make_shared<std::string>("cpp");
  tool->add_option("name", request->name, "Name of the tool")->required();
  tool->add_option("--lang", *language, "Language: cpp (default) or ts")
      ->check(CLI::IsMember({"cpp", "ts"}));
  tool->add_option("--bundle", request->bundle, "Folder with goondan.yaml (default: this one)");
  tool->add_flag("-f,--force", *force, "Overwrite files that exist");
  tool->callback([&action, request, force, language] {
    request->force = answer(*force);
    request->language = *language == "ts" ? ToolLanguage::TypeScript : ToolLanguage::Cpp;
    action = [request] { return run_new_tool(*request); };
  });
}

void declare_help_commands(CLI::App& app, Action& action) {
  CLI::App* doctor = app.add_subcommand("doctor", "Check this machine and say what is missing");
  auto doctor_json = std::make_shared<bool>(false);
  doctor->add_flag("--json", *doctor_json, "As JSON");
  doctor->callback([&action, doctor_json] {
    action = [doctor_json] { return run_doctor({.json = answer(*doctor_json)}); };
  });

  CLI::App* explain = app.add_subcommand("explain", "Explain an error code, offline");
  auto request = std::make_shared<ExplainRequest>();
  auto explain_json = std::make_shared<bool>(false);
  auto names = std::make_shared<bool>(false);
  explain->add_option("code", request->code, "The code, e.g. E_TOOL_TIMEOUT (default: list all)");
  explain->add_flag("--json", *explain_json, "As JSON");
  explain->add_flag("--names", *names, "Only the codes");
  explain->callback([&action, request, explain_json, names] {
    request->format =
        *names ? ExplainFormat::Names : (*explain_json ? ExplainFormat::Json : ExplainFormat::Text);
    action = [request] { return run_explain(*request); };
  });

  CLI::App* completion = app.add_subcommand("completion", "Print a completion script for a shell");
  auto shell = std::make_shared<std::string>();
  static const std::map<std::string, Shell> kShells{
      {"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}};
  completion->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->callback(
      [&action, shell] { action = [shell] { return run_completion(kShells.at(*shell)); }; });
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    names.push_back(command->get_name());
  return names;
}

// `before` is the command that `word` should be a verb of, with `gdn` in front.
Error unknown_command(const std::string& before, const std::string& word,
                      const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = nearest(word, views);
  return {.code = ErrorCode::Usage,
          .message = "there is no command '" + before.substr(before.size() > 3 ? 4 : 3) +
                     (before.size() > 3 ? " " : "") + word + "'",
          .suggestion = near.empty() ? before + " --help"
                                     : "Did you mean `" + before + " " + std::string(near) + "`?"};
}

// The complaint about a second word that is none of the verbs of the first; nothing if it is one,
// or if that has none.
std::optional<Error> unknown_verb(const CLI::App& app, std::span<char*> words) {
  if (words.size() < 3 || *words[2] == '-') return std::nullopt;
  std::vector<std::string> verbs;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (command->get_name() == words[1]) verbs = command_names(*command);
  const bool known = std::find(verbs.begin(), verbs.end(), words[2]) != verbs.end();
  if (verbs.empty() || known) return std::nullopt;
  return unknown_command("gdn " + std::string(words[1]), words[2], verbs);
}

int report(const CLI::App& app, const CLI::ParseError& error, std::span<char*> words) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    app.exit(error);  // --help and --version: prints to standard output
    return number(ExitCode::Ok);
  }
  const std::string first = words.size() > 1 ? words[1] : "";
  const std::vector<std::string> names = command_names(app);
  const bool known = std::find(names.begin(), names.end(), first) != names.end();
  if (const std::optional<Error> verb = unknown_verb(app, words)) {
    print_error(*verb);
  } else if (known || first.empty() || first.starts_with('-')) {
    print_error({.code = ErrorCode::Usage,
                 .message = error.what(),
                 .suggestion = known ? "gdn " + first + " --help" : "gdn --help"});
  } else {
    print_error(unknown_command("gdn", first, names));
  }
  return number(ExitCode::Usage);
}

}  // namespace

int run(int argc, char** argv) {
  hold_standard_streams();
  CLI::App app("goondan: tools for LLM agents", "gdn");
  app.set_version_flag("--version", std::string("gdn ") + std::string(kVersion) + " (plugin ABI " +
                                        std::to_string(GDN_ABI_VERSION) + ")");
  app.require_subcommand(1);
  app.footer(
      "\nExit codes: 0 ok, 1 error or error result, 2 usage, 3 configuration, 4 validation,\n"
      "5 network, 6 auth, 7 denied, 8 limit reached, 10 model, 130 interrupted.\n"
      "Start here:  gdn init && gdn run \"Remember the milk.\"\n"
      "       then  gdn new tool hello && gdn call hello__greet name=Mina");
  Action action;
  declare_call(app, action);
  declare_run(app, action);
  declare_tools(app, action);
  declare_validate(app, action);
  declare_init(app, action);
  declare_new(app, action);
  McpWords words = split_mcp_words(argc, argv);
  declare_mcp_commands(app, words, action);
  declare_auth_commands(app, action);
  declare_state_commands(app, action);
  declare_bundle_commands(app, action);
  declare_help_commands(app, action);
  // CLI11 reports problems by exceptions; they end here.
  try {
    app.parse(static_cast<int>(words.before.size()), words.before.data());
  } catch (const CLI::ParseError& error) {
    return report(app, error, {argv, static_cast<std::size_t>(argc)});
  }
  return number(finish_output(action()));
}

}  // namespace goondan::cli
