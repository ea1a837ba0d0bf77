#include "resource/mcp_reader.h"

#include <algorithm>
#include <map>

#include "resource/readers.h"

namespace goondan {
namespace {

constexpr std::string_view kNameRule =
    "Use letters, digits, `-` and single `_`, not at the end; at most 32 characters.";

using Trust = McpServerResource::Trust;
const std::map<std::string_view, Trust> kTrust{
    {"firstUse", Trust::FirstUse}, {"approved", Trust::Approved}, {"always", Trust::Always}};

void error(const Spot& spot, std::string message, std::string suggestion, ReadContext& context) {
  context.diagnostics.error(spot, ErrorCode::ConfigSchemaInvalid, std::move(message),
                            std::move(suggestion));
}

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// A list is a command with its first arguments.
void read_command(const Place& place, McpServerResource& server, ReadContext& context) {
  std::vector<std::string> words;
  if (place.node->kind == yaml::NodeKind::Sequence) {
    words = read_texts(place, context.diagnostics);
  } else if (std::optional<std::string> text = read_text(place, context.diagnostics)) {
    words.push_back(std::move(*text));
  } else {
    return;
  }
  if (words.empty() || words.front().find_first_not_of(" \t\r\n") == std::string::npos) {
    return error(place.spot(), "`command` is empty", "Give the program to start.", context);
  }
  // A path may hold spaces; what is searched in `PATH` does not.
  const std::size_t space = words.front().find(' ');
  const bool searched = words.front().find('/') > space;
  if (words.size() == 1 && space != std::string::npos && searched) {
    return error(place.spot(), "`command` holds more than the program: it is not read by a shell",
                 "Give the arguments as a list in `args`.", context);
  }
  server.command = std::move(words.front());
  server.args.assign(words.begin() + 1, words.end());
}

void check_url(const Place& place, const std::string& url, ReadContext& context) {
  const std::size_t scheme = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  const std::string host = url.substr(scheme, url.find_first_of("/?#", scheme) - scheme);
  const bool plain = url.find_first_of(" \t\r\n\\") == std::string::npos;
  if (scheme == 0 || host.empty() || !plain) {
    return error(place.spot(),
                 "`url` must be an address of http or https, not " + in_backticks(url),
                 "Write for example `https://example.com/mcp`.", context);
  }
  if (host.find('@') == std::string::npos) return;
  error(place.spot(), "`url` holds a name and a password",
        "Send them with `headers: {Authorization: {valueFrom: {env: NAME}}}`.", context);
}

// A program or an address, and nothing that belongs to the other.
void read_way(MappingReader& reader, McpServerResource& server, ReadContext& context) {
  const std::optional<Place> command = reader.find("command");
  const std::optional<Place> url = reader.find("url");
  if (command) read_command(*command, server, context);
  if (url) server.url = read_text(*url, context.diagnostics).value_or("");
  if (url && !server.url.empty()) check_url(*url, server.url, context);
  if (command && url) {
    error(url->key_spot(), "`command` and `url` are both given; one is allowed",
          "Remove one of the two.", context);
  } else if (!command && !url) {
    error(reader.place().key_spot(),
          "the server " + in_backticks(server.name) + " has neither `command` nor `url`",
          "Give `command` for a program to start, or `url` for an address.", context);
  }
  for (const std::string_view name : {"args", "env", "cwd", "headers"}) {
    const std::optional<Place> field = reader.find(name);
    const bool of_url = name == "headers";
    if (!field || command.has_value() == url.has_value() || of_url == url.has_value()) continue;
    error(field->key_spot(),
          in_backticks(name) + " is for servers with " + (of_url ? "a `url`" : "a `command`"),
          "Remove it.", context);
  }
}

// Lists of other programs have it; what it says follows from the other fields.
void read_type(MappingReader& reader, const McpServerResource& server, ReadContext& context) {
  const std::optional<Place> field = reader.find("type");
  if (!field) return;
  const std::string& type = field->node->text;
  const bool http = type == "http" || type == "streamable-http" || type == "streamableHttp";
  if (server.url.empty() ? type == "stdio" : http) return;
  if (type == "sse") {
    return error(field->spot(), "the transport `sse` is not supported; it has been replaced",
                 "Give the server's address for Streamable HTTP, often ending in `/mcp`.", context);
  }
  error(field->spot(), "`type` does not fit the server: " + in_backticks(type), "Remove it.",
        context);
}

Trust read_trust(MappingReader& reader, ReadContext& context) {
  const std::optional<Place> field = reader.find("trust");
  if (!field) return Trust::FirstUse;
  const auto found = kTrust.find(field->node->text);
  if (found != kTrust.end()) return found->second;
  error(field->spot(), "`trust` must be `firstUse`, `approved` or `always`", "", context);
  return Trust::Approved;
}

McpServerResource read_server(const Place& place, ReadContext& context) {
  McpServerResource server{.name = place.key->text};
  if (const std::string problem = mcp_name_problem(server.name); !problem.empty()) {
    context.diagnostics.error(place.key_spot(), ErrorCode::ConfigInvalidName, problem,
                              std::string(kNameRule));
  }
  MappingReader reader(place, context.diagnostics);
  if (place.node->kind != yaml::NodeKind::Mapping) return server;
  read_way(reader, server, context);
  read_type(reader, server, context);
  for (std::string& word : reader.texts("args"))
    server.args.push_back(std::move(word));
  if (const auto env = reader.find("env"))
    server.env = read_mcp_values(*env, McpValues::Env, context);
  if (const auto headers = reader.find("headers"))
    server.headers = read_mcp_values(*headers, McpValues::Headers, context);
  server.folder = reader.text_or("cwd", "");
  if (const auto tools = reader.find("tools"))
    server.only_tools = read_texts(*tools, context.diagnostics);
  server.trust = read_trust(reader, context);
  if (reader.flag("required").value_or(false)) server.need = McpServerResource::Need::Required;
  if (const auto time = reader.positive("startTimeoutMs")) {
    server.start_timeout = std::chrono::milliseconds(*time);
  }
  // A slip in `trust` or `tools` would grant too much.
  reader.finish(Unknown::Error);
  return server;
}

}  // namespace

std::string mcp_name_problem(std::string_view name) {
  const std::string quoted = "the server's name " + in_backticks(name);
  if (name.empty()) return "a server's name is empty";
  if (!std::ranges::all_of(name, name_character))
    return quoted + " holds a character that names may not";
  if (name.find("__") != std::string_view::npos)
    return quoted + " holds `__`, which separates it from the names of its tools";
  if (name.ends_with('_')) return quoted + " ends in `_`";
  if (name.size() > kMaxMcpServerName)
    return quoted + " has " + std::to_string(name.size()) + " characters";
  return {};
}

std::vector<McpServerResource> read_mcp_servers(const Place& place, ReadContext& context) {
  std::vector<McpServerResource> servers;
  MappingReader reader(place, context.diagnostics);
  const std::optional<Place> field =
      reader.require("servers", "Add `servers:` with a name and its `command` or `url` below it.");
  reader.finish(Unknown::Error);
  if (!field || !read_object(*field, context.diagnostics)) return servers;
  const std::size_t count = field->node->children.size() / 2;
  if (count == 0 || count > kMaxMcpServers) {
    error(field->key_spot(),
          count == 0 ? "`servers` is empty"
                     : "there are " + std::to_string(count) + " servers; " +
                           std::to_string(kMaxMcpServers) + " are allowed",
          count == 0 ? "Add one, or remove `mcp`." : "Split them over several extensions.",
          context);
    return servers;
  }
  for (std::size_t i = 0; i < count; ++i)
    servers.push_back(read_server(field->member(i), context));
  return servers;
}

}  // namespace goondan
