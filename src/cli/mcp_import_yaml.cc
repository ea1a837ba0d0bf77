#include "cli/mcp_import.h"

namespace goondan::cli {
namespace {

// JSON texts are YAML texts too; words that cannot be anything else need no quotes.
std::string yaml_text(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  const bool reserved = text == "true" || text == "false" || text == "null" || text == "True" ||
                        text == "TRUE" || text == "False" || text == "FALSE" || text == "Null" ||
                        text == "NULL";
  if (!text.empty() && !reserved && text.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(text);
  std::string quoted;
  append_quoted(quoted, text);
  return quoted;
}

std::string yaml_list(const std::vector<std::string>& words) {
  std::string list = "[";
  for (const std::string& word : words)
    list += (list.size() > 1 ? ", " : "") + yaml_text(word);
  return list + "]";
}

void append_values(std::string& out, std::string_view field,
                   const std::map<std::string, ValueSource>& values) {
  if (values.empty()) return;
  out += "        " + std::string(field) + ":\n";
  for (const auto& [name, source] : values) {
    out += "          " + yaml_text(name) + ": ";
    out += source.env ? "{ valueFrom: { env: " + yaml_text(*source.env) + " } }"
                      : yaml_text(source.value.value_or(""));
    out += "\n";
  }
}

void append_server(std::string& out, const McpServerResource& server) {
  const auto field = [&out](std::string_view name, const std::string& value) {
    out += "        " + std::string(name) + ": " + value + "\n";
  };
  out += "      " + yaml_text(server.name) + ":\n";
  if (!server.command.empty()) field("command", yaml_text(server.command));
  if (!server.args.empty()) field("args", yaml_list(server.args));
  if (!server.folder.empty()) field("cwd", yaml_text(server.folder));
  if (!server.url.empty()) field("url", yaml_text(server.url));
  append_values(out, "env", server.env);
  append_values(out, "headers", server.headers);
  if (server.only_tools) field("tools", yaml_list(*server.only_tools));
}

}  // namespace

std::string mcp_extension_yaml(const std::string& name,
                               const std::vector<McpServerResource>& servers) {
  std::string out =
      "apiVersion: goondan.ai/v1\nkind: Extension\nmetadata:\n  name: " + yaml_text(name) +
      "\nspec:\n  mcp:\n    servers:\n";
  for (const McpServerResource& server : servers)
    append_server(out, server);
  return out;
}

}  // namespace goondan::cli
