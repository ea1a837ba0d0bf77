#include "host/mcp/server_start.h"

#include <array>

#include "net/url.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 9> kInherited{"HOME", "LANG",   "LOGNAME", "PATH", "SHELL",
                                                     "TERM", "TMPDIR", "TZ",      "USER"};
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

bool inherited(std::string_view name) {
  return name.starts_with("LC_") ||
         std::find(kInherited.begin(), kInherited.end(), name) != kInherited.end();
}

Error about(const McpServerResource& server, std::string_view field, Error error) {
  error.message = "MCP server '" + server.name + "', " + std::string(field) + ": " + error.message;
  return error;
}

Result<std::string> value_of(const McpServerResource& server, std::string_view field,
                             const std::string& name, const ValueSource& source,
                             const ValueSource::Environment& environment) {
  auto value = source.resolve(environment, ValueSource::Required::Yes, name);
  if (!value.ok()) {
    return about(server, std::string(field) + "." + name, std::move(value).error());
  }
  return value->value_or("");
}

Result<std::vector<std::string>> environment_of(const McpServerResource& resource,
                                                const ValueSource::Environment& all) {
  ValueSource::Environment chosen;
  for (const auto& [name, value] : all)
    if (inherited(name)) chosen.emplace(name, value);
  chosen.emplace("PATH", kDefaultPath);  // if there is none
  for (const auto& [name, source] : resource.env) {
    std::string value = GDN_TRY(value_of(resource, "env", name, source, all));
    chosen.insert_or_assign(name, std::move(value));
  }
  std::vector<std::string> lines;
  lines.reserve(chosen.size());
  for (const auto& [name, value] : chosen)
    lines.push_back(name + "=" + value);
  return lines;
}

// `npx` is searched in PATH, `./server` and `bin/server` are the bundle's.
std::string program_of(const std::string& command, const fs::path& root) {
  if (command.find('/') == std::string::npos) return command;
  return (root / command).lexically_normal().string();
}

Result<void> fill_program(McpServerStart& start, const McpServerResource& resource,
                          const McpStartPlace& place) {
  const fs::path root = fs::absolute(place.bundle_root);
  start.server.command.push_back(program_of(resource.command, root));
  start.server.command.insert(start.server.command.end(), resource.args.begin(),
                              resource.args.end());
  start.server.environment = GDN_TRY(environment_of(resource, place.environment));
  start.server.folder = (root / resource.folder).lexically_normal().string();
  return {};
}

Result<void> fill_address(McpServerStart& start, const McpServerResource& resource,
                          const McpStartPlace& place) {
  auto url = net::Url::parse(resource.url);
  if (!url.ok()) {
    url.error().code = ErrorCode::Config;
    return about(resource, "url", std::move(url).error());
  }
  start.server.url = resource.url;
  // Whoever wrote the address into the bundle wants it reached, be it on this machine.
  start.hosts = place.hosts.with({.host = url->host, .port = url->port});
  for (const auto& [name, source] : resource.headers) {
    std::string value = GDN_TRY(value_of(resource, "headers", name, source, place.environment));
    start.server.headers.emplace_back(name, std::move(value));
  }
  return {};
}

}  // namespace

Result<McpServerStart> prepare_mcp_server(const McpServerResource& resource,
                                          const McpStartPlace& place) {
  McpServerStart start{.hosts = place.hosts};
  start.server.name = resource.name;
  if (resource.command.empty() == resource.url.empty()) {
    return Error{.code = ErrorCode::Config,
                 .message = "MCP server '" + resource.name + "' has " +
                            (resource.url.empty() ? "neither" : "both") + " a command " +
                            (resource.url.empty() ? "nor" : "and") + " a url",
                 .suggestion = "Give `command` for a program to start, or `url` for an address."};
  }
  if (resource.url.empty()) {
    GDN_TRY(fill_program(start, resource, place));
  } else {
    GDN_TRY(fill_address(start, resource, place));
  }
  return start;
}

}  // namespace goondan
