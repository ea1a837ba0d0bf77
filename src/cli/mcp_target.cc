#include <algorithm>
#include <unistd.h>

#include <goondan/bundle.h>

#include "base/nearest.h"
#include "cli/bundle_choice.h"
#include "cli/mcp_session.h"
#include "cli/variables.h"
#include "orchestrator/bundle_environment.h"
#include "store/layout.h"

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;

Error usage(std::string message, std::string suggestion) {
  return {
      .code = ErrorCode::Usage, .message = std::move(message), .suggestion = std::move(suggestion)};
}

std::vector<std::string> own_entries() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    entries.emplace_back(*entry);
  return entries;
}

bool is_address(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

Result<void> add_headers(const McpServerChoice& choice, McpServerResource& server) {
  if (!choice.headers.empty() && server.url.empty()) {
    return usage("--header is for servers with an address", "For a program use --env NAME=value.");
  }
  for (const std::string& header : choice.headers) {
    const std::size_t colon = header.find(':');
    if (colon == std::string::npos || colon == 0) {
      return usage("--header '" + header.substr(0, colon) + "' is not of the form 'Name: value'",
                   "Write for example --header 'Authorization: Bearer ...'.");
    }
    const std::size_t value = header.find_first_not_of(" \t", colon + 1);
    server.headers[header.substr(0, colon)] =
        ValueSource{.value = value == std::string::npos ? std::string() : header.substr(value)};
  }
  return {};
}

Result<void> add_env(const McpServerChoice& choice, McpServerResource& server) {
  if (!choice.env.empty() && !server.url.empty()) {
    return usage("--env is for servers that are programs", "For an address use --header.");
  }
  for (const std::string& entry : choice.env) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      return usage("--env '" + entry.substr(0, equals) + "' is not of the form NAME=value",
                   "Write for example --env PORT=8080; with a name alone write NAME=\"$NAME\".");
    }
    server.env[entry.substr(0, equals)] = ValueSource{.value = entry.substr(equals + 1)};
  }
  return {};
}

McpTarget free_target(const McpServerChoice& choice) {
  McpTarget target{.environment = variables_of(own_entries())};
  std::error_code ignored;
  target.root = fs::current_path(ignored);
  target.resource.name = "server";
  target.resource.trust = McpServerResource::Trust::Always;
  if (choice.command.empty()) {
    target.resource.url = choice.server;
    target.label = choice.server;
  } else {
    target.resource.command = choice.command.front();
    target.resource.args.assign(choice.command.begin() + 1, choice.command.end());
    target.label = choice.command.front();
  }
  return target;
}

Error no_bundle(const std::string& server) {
  return {.code = ErrorCode::ConfigFileNotFound,
          .message = "there is no goondan.yaml in this folder" +
                     (server.empty() ? "" : ", so there is no server '" + server + "'"),
          .suggestion =
              "Name the bundle with --bundle DIR, or the server by its address, or by its "
              "command at the end: gdn mcp tools -- COMMAND ARGS."};
}

Error no_server(const std::string& name, const std::vector<McpTarget>& targets) {
  std::string list;
  std::vector<std::string_view> names;
  for (const McpTarget& target : targets) {
    names.push_back(target.resource.name);
    list += (list.empty() ? "" : ", ") + target.resource.name;
  }
  const std::string_view near = nearest(name, names);
  const bool other_scheme = name.find("://") != std::string::npos;
  std::string hint = near.empty() ? "" : "Did you mean " + std::string(near) + "? ";
  hint += list.empty() ? "The bundle has no servers." : "Servers: " + list + ".";
  if (near.empty()) hint += " A program goes to the end, after `--`.";
  if (other_scheme) hint = "Addresses begin with http:// or https://.";
  return {.code = ErrorCode::NotFound,
          .message = "there is no MCP server '" + name + "' in the bundle",
          .suggestion = std::move(hint)};
}

}  // namespace

Result<std::vector<McpTarget>> bundle_mcp_servers(const McpServerChoice& choice) {
  const std::optional<Bundle> bundle = GDN_TRY(choose_bundle(choice.bundle));
  if (!bundle) return no_bundle(choice.server);
  std::optional<fs::path> env_file;
  if (choice.env_file) env_file = *choice.env_file;
  const orchestrator::AgentEnvironment environment =
      GDN_TRY(orchestrator::agent_environment(bundle->root(), env_file));
  std::vector<McpTarget> targets;
  for (const ExtensionResource& extension : bundle->extensions()) {
    for (const McpServerResource& server : extension.mcp_servers) {
      targets.push_back({.resource = server,
                         .extension = extension.meta.name,
                         .label = server.name,
                         .root = bundle->root(),
                         .environment = variables_of(environment.entries),
                         .pins = store::mcp_pins_file(store::state_root(choice.state_root))});
    }
  }
  return targets;
}

Result<McpTarget> choose_mcp_server(const McpServerChoice& choice) {
  McpTarget target;
  if (!choice.command.empty() || is_address(choice.server)) {
    if (choice.env_file || choice.bundle) {
      return usage(choice.bundle ? "--bundle is for servers of a bundle"
                                 : "--env-file is for servers of a bundle",
                   "Remove it, or name a server of the bundle.");
    }
    target = free_target(choice);
  } else {
    const std::vector<McpTarget> targets = GDN_TRY(bundle_mcp_servers(choice));
    const auto found = std::ranges::find_if(
        targets, [&choice](const McpTarget& each) { return each.resource.name == choice.server; });
    if (found == targets.end()) return no_server(choice.server, targets);
    target = *found;
  }
  GDN_TRY(add_headers(choice, target.resource));
  GDN_TRY(add_env(choice, target.resource));
  return target;
}

}  // namespace goondan::cli
