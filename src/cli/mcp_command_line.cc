#include "cli/mcp_command_line.h"

#include <memory>
#include <span>

#include <CLI/CLI.hpp>

#include "cli/mcp_commands.h"
#include "cli/mcp_verb.h"

namespace goondan::cli {
namespace {

using Action = std::function<ExitCode()>;

// Where the server comes from, for the help of all verbs that need one.
std::string with_server(std::string_view others) {
  return "SERVER" + std::string(others) +
         ". SERVER is a name from the bundle or an address (http://, https://); it is left out if "
         "the line ends with -- COMMAND [ARGS]";
}

void declare_list(CLI::App& mcp, Action& action) {
  const McpVerb verb =
      McpVerb::add(mcp, "list", "The servers of the bundle, and what became of them", "");
  auto request = std::make_shared<McpListRequest>();
  add_mcp_bundle(*verb.command, request->where);
  add_mcp_timeout(*verb.command, request->where.timeout,
                  "How long to wait for them (default: 60000)");
  verb.flag("json", "As JSON");
  verb.command->callback([&action, verb, request] {
    request->json = verb.answer("json");
    request->where.log = LogLevel::Warn;
    action = [request] { return run_mcp_list(*request); };
  });
}

void declare_tools(CLI::App& mcp, const McpWords& split, Action& action) {
  const McpVerb verb = McpVerb::add(mcp, "tools", "The tools of a server, or one with its schema",
                                    with_server(" [TOOL]"));
  auto request = std::make_shared<McpToolsRequest>();
  add_mcp_where(*verb.command, request->where);
  verb.flag("json", "The definitions as the server wrote them");
  verb.flag("names", "Only the names");
  verb.command->callback([&action, &split, verb, request] {
    McpTaker words(verb, split, request->where);
    request->tool = words.take_if_there();
    request->json = verb.answer("json");
    request->names = verb.answer("names");
    action = words.then([request] { return run_mcp_tools(*request); });
  });
}

void declare_call(CLI::App& mcp, const McpWords& split, Action& action) {
  const McpVerb verb = McpVerb::add(mcp, "call", "Call a tool and print its result",
                                    with_server(" TOOL [key=value | key:=json]..."));
  auto request = std::make_shared<McpCallRequest>();
  add_mcp_where(*verb.command, request->where);
  add_mcp_services(*verb.command, request->where);
  verb.command->add_option("--input", request->input,
                           "All arguments as JSON; - reads standard input");
  verb.command->add_option("--workdir", request->workdir,
                           "Folder for binary results (default: this one)");
  verb.flag("json", "Print the result as one line of JSON");
  verb.command->callback([&action, &split, verb, request] {
    McpTaker words(verb, split, request->where);
    request->tool = words.take("TOOL, the name of the tool");
    request->words = words.rest();
    request->json = verb.answer("json");
    action = words.then([request] { return run_mcp_call(*request); });
  });
}

struct ThingVerb {
  McpThing thing;
  std::string_view name;
  std::string_view what;
  std::string_view words;
};

void declare_thing(CLI::App& mcp, const McpWords& split, Action& action, const ThingVerb& kind) {
  const McpVerb verb =
      McpVerb::add(mcp, std::string(kind.name), std::string(kind.what), with_server(kind.words));
  auto request = std::make_shared<McpThingRequest>();
  request->thing = kind.thing;
  add_mcp_where(*verb.command, request->where);
  if (!kind.words.empty()) add_mcp_services(*verb.command, request->where);
  verb.flag("json", "As JSON");
  verb.command->callback([&action, &split, verb, request] {
    McpTaker words(verb, split, request->where);
    if (request->thing == McpThing::Resource) request->name = words.take("URI, of the resource");
    if (request->thing == McpThing::Prompt) {
      request->name = words.take("NAME, of the prompt");
      request->words = words.rest();
    }
    request->json = verb.answer("json");
    action = words.then([request] { return run_mcp_thing(*request); });
  });
}

void declare_approve(CLI::App& mcp, const McpWords& split, Action& action) {
  const McpVerb verb =
      McpVerb::add(mcp, "approve", "Believe the definitions of a server's tools as they are",
                   "SERVER [TOOL]...: a name from the bundle; without tools, those that "
                   "are not believed are shown");
  auto request = std::make_shared<McpApproveRequest>();
  add_mcp_bundle(*verb.command, request->where);
  add_mcp_timeout(*verb.command, request->where.timeout, "Time limit (default: 60000)");
  verb.flag("all", "All tools of the server");
  verb.command->callback([&action, &split, verb, request] {
    McpTaker words(verb, split, request->where);
    request->tools = words.rest();
    request->all = verb.answer("all");
    action = words.then([request] { return run_mcp_approve(*request); });
  });
}

void declare_import(CLI::App& mcp, Action& action) {
  CLI::App* command = mcp.add_subcommand("import", "Read the mcpServers JSON of another program");
  auto request = std::make_shared<McpImportRequest>();
  command->add_option("file", request->file, "The file; - reads standard input")->required();
  command->add_option("--name", request->name, "Name of the extension (default: mcp)");
  CLI::Option* bundle = command->add_option("--bundle", request->bundle,
                                            "Write it into this bundle (default: print it)");
  command->add_option("--output", request->output, "Write it to this new file")->excludes(bundle);
  command->callback(
      [&action, request] { action = [request] { return run_mcp_import(*request); }; });
}

}  // namespace

McpWords split_mcp_words(int argc, char** argv) {
  const std::span<char*> all(argv, static_cast<std::size_t>(argc));
  McpWords words;
  for (const char* const word : all) {
    if (words.dashes == McpWords::Dashes::There) {
      words.command.emplace_back(word);
    } else if (words.before.size() > 1 && std::string_view(all[1]) == "mcp" &&
               std::string_view(word) == "--") {
      words.dashes = McpWords::Dashes::There;
    } else {
      words.before.push_back(const_cast<char*>(word));
    }
  }
  return words;
}

void declare_mcp_commands(CLI::App& app, const McpWords& words, Action& action) {
  CLI::App* mcp = app.add_subcommand("mcp", "Try MCP servers: list, tools, call, read, import ...");
  mcp->require_subcommand(1);
  mcp->footer(
      "\nFor example:  gdn mcp tools -- npx -y @modelcontextprotocol/server-everything\n"
      "              gdn mcp call https://example.com/mcp echo message=hello\n"
      "              gdn mcp call files read_file path=a.txt    (files: a server of the bundle)");
  declare_list(*mcp, action);
  declare_tools(*mcp, words, action);
  declare_call(*mcp, words, action);
  const std::vector<ThingVerb> things{
      {McpThing::Resources, "resources", "The resources of a server", ""},
      {McpThing::Resource, "read", "Read a resource", " URI"},
      {McpThing::Prompts, "prompts", "The prompts of a server", ""},
      {McpThing::Prompt, "prompt", "Get a prompt", " NAME [key=value]..."}};
  for (const ThingVerb& thing : things)
    declare_thing(*mcp, words, action, thing);
  declare_approve(*mcp, words, action);
  declare_import(*mcp, action);
}

}  // namespace goondan::cli
