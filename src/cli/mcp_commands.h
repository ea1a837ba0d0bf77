// The commands of `gdn mcp`: trying MCP servers with no model. Each function prints and returns the
// exit code.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <goondan/tool_context.h>

#include "cli/commands.h"
#include "mcp/transport.h"

namespace goondan::cli {

// Which server, and how it is spoken to.
struct McpServerChoice {
  std::optional<std::string> bundle = {};
  std::string state_root = {};
  std::optional<std::string> env_file = {};
  std::string server = {};                // its name in the bundle, or its address
  std::vector<std::string> command = {};  // what came after `--`; then `server` is empty
  std::vector<std::string> headers = {};  // Name: value
  std::vector<std::string> env = {};      // NAME=value
  mcp::Era era = mcp::Era::Unknown;
  std::chrono::milliseconds timeout{0};    // 0: the default
  std::optional<std::string> elicit = {};  // decline, defaults, or JSON; none: not declared
  std::vector<std::string> roots = {};     // folders; none: not declared
  std::optional<std::string> sample = {};  // the text of every answer; none: not declared
  LogLevel log = LogLevel::Info;           // what the server says beside its answers, from here on
};

struct McpListRequest {
  McpServerChoice where;  // of a bundle; `server` is empty
  Answer json = Answer::No;
};
ExitCode run_mcp_list(const McpListRequest& request);

struct McpToolsRequest {
  McpServerChoice where;
  std::optional<std::string> tool = {};
  Answer json = Answer::No;
  Answer names = Answer::No;
};
ExitCode run_mcp_tools(const McpToolsRequest& request);

struct McpCallRequest {
  McpServerChoice where;
  std::string tool;
  std::vector<std::string> words = {};    // key=value
  std::optional<std::string> input = {};  // JSON, or "-"
  std::optional<std::string> workdir = {};
  Answer json = Answer::No;
};
ExitCode run_mcp_call(const McpCallRequest& request);

// What servers have beside tools.
enum class McpThing { Resources, Resource, Prompts, Prompt };

struct McpThingRequest {
  McpServerChoice where;
  McpThing thing = McpThing::Resources;
  std::string name = {};                // the address of a resource, the name of a prompt
  std::vector<std::string> words = {};  // key=value, for a prompt
  Answer json = Answer::No;
};
ExitCode run_mcp_thing(const McpThingRequest& request);

struct McpApproveRequest {
  McpServerChoice where;
  std::vector<std::string> tools = {};
  Answer all = Answer::No;
};
ExitCode run_mcp_approve(const McpApproveRequest& request);

struct McpImportRequest {
  std::string file;  // or "-"
  std::optional<std::string> bundle = {};
  std::optional<std::string> output = {};
  std::string name = "mcp";  // of the extension
};
ExitCode run_mcp_import(const McpImportRequest& request);

}  // namespace goondan::cli
