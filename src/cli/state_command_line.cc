#include "cli/state_command_line.h"

#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/state_commands.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

using Action = std::function<ExitCode()>;

constexpr std::int64_t kMostLines = 1'000'000;

Answer answer(bool flag) {
  return flag ? Answer::Yes : Answer::No;
}

// Where a command looks for its swarm: the same for all of them.
void add_where(CLI::App& command, WorkspaceOptions& where) {
  command.add_option("--bundle", where.bundle, "Folder with goondan.yaml (default: this one)");
  command.add_option("--swarm", where.swarm,
                     "Name of the swarm (default: default, or the only one)");
  command.add_option("--workspace", where.workspace, "Name of the workspace, as gdn ps shows it");
  command.add_option("--state-root", where.state_root,
                     "Folder of the state (default: $GOONDAN_STATE_ROOT, else ~/.goondan)");
}

void declare_ps(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("ps", "Show the swarms that run, and their agents");
  auto request = std::make_shared<PsRequest>();
  auto json = std::make_shared<bool>(false);
  add_where(*command, request->where);
  command->add_flag("--json", *json, "As JSON");
  command->callback([&action, request, json] {
    request->json = answer(*json);
    action = [request] { return run_ps(*request); };
  });
}

void declare_logs(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("logs", "Show what agents did and said");
  auto request = std::make_shared<LogsRequest>();
  auto json = std::make_shared<bool>(false);
  auto follow = std::make_shared<bool>(false);
  add_where(*command, request->where);
  command->add_flag("-f,--follow", *follow, "Go on as more comes; Ctrl-C ends it");
  command->add_option("-n,--lines", request->lines, "How many of the last lines (default: 200)")
      ->check(CLI::Range(std::int64_t{0}, kMostLines));
  command->add_option("-a,--agent", request->agent, "Only this agent");
  command->add_option("-i,--instance-key", request->instance_key, "Only this instance");
  command->add_option("--trace", request->trace, "Only this trace (the beginning of its id)");
  command->add_flag("--json", *json, "The events themselves, one line of JSON each");
  command->callback([&action, request, json, follow] {
    request->json = answer(*json);
    request->follow = answer(*follow);
    action = [request] { return run_logs(*request); };
  });
}

void declare_trace(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("trace", "Show where the time of a turn went, as a tree");
  auto request = std::make_shared<TraceRequest>();
  auto format = std::make_shared<std::string>("text");
  static const std::map<std::string, TraceFormat> kFormats{
      {"text", TraceFormat::Text}, {"json", TraceFormat::Json}, {"otlp", TraceFormat::Otlp}};
  add_where(*command, request->where);
  command->add_option("id", request->id,
                      "The trace: the beginning of its id, or last (default: list them)");
  command->add_option("--limit", request->limit, "How many to list (default: 20)")
      ->check(CLI::Range(std::int64_t{0}, kMostLines));
  command->add_option("--format", *format, "text, json or otlp (OpenTelemetry)")
      ->check(CLI::IsMember({"text", "json", "otlp"}));
  command->add_flag_callback(
      "--json", [format] { *format = "json"; }, "The same as --format json");
  command->callback([&action, request, format] {
    request->format = kFormats.at(*format);
    action = [request] { return run_trace(*request); };
  });
}

void declare_instance(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("instance", "List or delete agents' conversations (default: list)");
  command->callback([&action, command] {
    if (command->get_subcommands().empty()) action = [] { return run_instance({}); };
  });
  CLI::App* list = command->add_subcommand("list", "The instances that have been made");
  auto listed = std::make_shared<InstanceRequest>();
  auto json = std::make_shared<bool>(false);
  add_where(*list, listed->where);
  list->add_option("-a,--agent", listed->agent, "Only this agent");
  list->add_flag("--json", *json, "As JSON");
  list->callback([&action, listed, json] {
    listed->json = answer(*json);
    action = [listed] { return run_instance(*listed); };
  });
  CLI::App* remove = command->add_subcommand("delete", "Delete the conversation and files of one");
  auto removed = std::make_shared<InstanceRequest>();
  removed->verb = InstanceVerb::Delete;
  add_where(*remove, removed->where);
  remove->add_option("agent", removed->agent, "Name of the agent")->required();
  remove->add_option("key", removed->key, "Key of the instance")->required();
  remove->callback([&action, removed] { action = [removed] { return run_instance(*removed); }; });
}

void declare_restart(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("restart", "Restart a running swarm with its new bundle");
  auto request = std::make_shared<RestartRequest>();
  auto fresh = std::make_shared<bool>(false);
  add_where(*command, request->where);
  command->add_option("-a,--agent", request->agent, "Only the instances of this agent");
  command->add_flag("--fresh", *fresh, "Also forget their conversations");
  command->callback([&action, request, fresh] {
    request->fresh = answer(*fresh);
    action = [request] { return run_restart(*request); };
  });
}

void declare_handle_verb(CLI::App& handles, Action& action, HandlesVerb verb) {
  static const std::map<HandlesVerb, std::pair<const char*, const char*>> kVerbs{
      {HandlesVerb::List, {"list", "The results that are pending, and the latest that were"}},
      {HandlesVerb::Wait, {"wait", "Wait until one is completed, and show it"}},
      {HandlesVerb::Complete, {"complete", "Say that the work is done: its agent hears of it"}},
      {HandlesVerb::Cancel, {"cancel", "Give it up: its agent hears of it"}}};
  const auto& [name, what] = kVerbs.at(verb);
  CLI::App* command = handles.add_subcommand(name, what);
  auto request = std::make_shared<HandlesRequest>();
  auto json = std::make_shared<bool>(false);
  auto timeout = std::make_shared<std::int64_t>(60'000);
  request->verb = verb;
  add_where(*command, request->where);
  command->add_flag("--json", *json, "As JSON");
  if (verb != HandlesVerb::List) {
    command->add_option("handle", request->handle, "The handle")->required();
  }
  if (verb == HandlesVerb::Wait) {
    command->add_option("--timeout-ms", *timeout, "How long (default: 60000)")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{86'400'000}));
  }
  if (verb == HandlesVerb::Complete) {
    CLI::Option* output = command->add_option("--output", request->output, "JSON, or text");
    command->add_option("--error", request->error, "It failed: the message")->excludes(output);
  }
  command->callback([&action, request, json, timeout] {
    request->json = answer(*json);
    request->timeout = std::chrono::milliseconds(*timeout);
    action = [request] { return run_handles(*request); };
  });
}

void declare_handles(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("handles", "Pending results: list (default), wait, complete, cancel");
  command->callback([&action, command] {
    if (command->get_subcommands().empty()) action = [] { return run_handles({}); };
  });
  for (const HandlesVerb verb :
       {HandlesVerb::List, HandlesVerb::Wait, HandlesVerb::Complete, HandlesVerb::Cancel}) {
    declare_handle_verb(*command, action, verb);
  }
}

}  // namespace

ExitCode finish_command(const Result<ExitCode>& outcome) {
  if (outcome.ok()) return *outcome;
  print_error(outcome.error());
  return exit_code_for(outcome.error().code);
}

void declare_state_commands(CLI::App& app, Action& action) {
  declare_ps(app, action);
  declare_logs(app, action);
  declare_trace(app, action);
  declare_instance(app, action);
  declare_restart(app, action);
  declare_handles(app, action);
}

}  // namespace goondan::cli
