#include "cli/mcp_import.h"

#include <algorithm>
#include <array>

#include "base/json_fields.h"
#include "cli/mcp_import_values.h"
#include "resource/builtin_names.h"
#include "resource/mcp_reader.h"

namespace goondan::cli {
namespace {

// `filesystem` is refused for a server, because it looks like `file-system`.
bool looks_built_in(std::string_view name) {
  return std::ranges::any_of(kBuiltinTools, [&](std::string_view tool) {
    return mcp_name_look(tool) == mcp_name_look(name);
  });
}

// A name that is allowed and that nobody has, as like `name` as possible.
std::string allowed_name(std::string_view name, const std::set<std::string>& taken) {
  std::string made;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool good = byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '_');
    if (good && !(c == '_' && made.ends_with('_'))) made += c;
    if (!good && !made.empty() && !made.ends_with('-')) made += '-';
  }
  made = made.substr(0, kMaxMcpServerName - 4);
  while (made.ends_with('_') || made.ends_with('-'))
    made.pop_back();
  if (made.empty()) made = "server";
  const std::string base = looks_built_in(made) ? made + "-mcp" : made;
  made = base;
  for (int number = 2; taken.contains(mcp_name_look(made)); ++number)
    made = base + "-" + std::to_string(number);
  return made;
}

std::vector<std::string> texts_of(const JsonArray* list) {
  std::vector<std::string> texts;
  for (const Json& item : list == nullptr ? JsonArray{} : *list)
    texts.push_back(item.is_string() ? std::string(item.get_string()) : to_text(item));
  return texts;
}

// One entry of the list.
class Entry {
 public:
  Entry(std::string name, const JsonObject& object, McpImport& import)
      : object_(object), import_(import) {
    server_.name = std::move(name);
  }

  // Whether it could be taken over.
  bool read() {
    const Json enabled = any_field(object_, "enabled");
    if (true_field(object_, "disabled") || (enabled.is_bool() && !enabled.get_bool()))
      return refuse("is switched off there");
    read_command();
    for (const std::string_view key : {"url", "httpUrl", "serverUrl"})
      if (server_.url.empty()) server_.url = text_field(object_, key);
    const std::string type = text_field(object_, object_.contains("type") ? "type" : "transport");
    if (type == "sse")
      return refuse(
          "speaks only the transport SSE, which is not supported; look for its address "
          "for Streamable HTTP");
    if (server_.command.empty() == server_.url.empty())
      return refuse(server_.url.empty() ? "has neither a command nor a url"
                                        : "has both a command and a url");
    read_values();
    note_rest();
    import_.servers.push_back(std::move(server_));
    return true;
  }

 private:
  bool refuse(const std::string& why) {
    import_.notes.push_back("'" + server_.name + "' was left out: it " + why);
    return false;
  }
  void note(const std::string& what) { import_.notes.push_back("'" + server_.name + "': " + what); }

  void read_command() {
    const Json command = any_field(object_, "command");
    std::vector<std::string> words;
    if (command.is_string()) words.emplace_back(command.get_string());
    if (command.is_array()) words = texts_of(&command.get_array());
    if (command.is_object()) {  // {path, args, env}
      words.push_back(text_field(command.get_object(), "path"));
      for (std::string& word : texts_of(array_field(command.get_object(), "args")))
        words.push_back(std::move(word));
    }
    for (std::string& word : texts_of(array_field(object_, "args")))
      words.push_back(std::move(word));
    if (words.empty() || command.is_null()) return;
    server_.command = std::move(words.front());
    server_.args.assign(words.begin() + 1, words.end());
    read_folder();
    if (std::ranges::any_of(server_.args, looks_secret))
      note("one of its arguments looks like a secret, and was taken over as it is");
    if (std::ranges::any_of(server_.args, holds_variable))
      note("`${...}` in its arguments is not replaced by anything");
  }

  // The folder of a workspace is for us that of the bundle, where servers start anyway.
  void read_folder() {
    server_.folder = text_field(object_, "cwd");
    if (!holds_variable(server_.folder)) return;
    note("its `cwd` was " + server_.folder + "; it starts in the folder of the bundle now");
    server_.folder.clear();
  }

  void read_values() {
    McpValueImport values{.server = server_.name, .notes = import_.notes};
    const bool program = server_.url.empty();
    for (const std::string_view key : {"env", "environment"}) {
      if (const JsonObject* env = object_field(object_, key); env != nullptr && program)
        server_.env = values.read(*env, McpValues::Env);
    }
    if (const JsonObject* headers = object_field(object_, "headers"); headers && !program)
      server_.headers = values.read(*headers, McpValues::Headers);
  }

  void note_rest() {
    constexpr std::array<std::string_view, 15> kKnown{
        "command",  "args",    "env",       "environment", "cwd",
        "url",      "httpUrl", "serverUrl", "headers",     "enabled",
        "disabled", "type",    "name",      "transport",   "description"};
    for (const auto& [key, value] : object_) {
      if (std::ranges::find(kKnown, std::string_view(key)) == kKnown.end())
        note("'" + std::string(key) + "' was not taken over");
    }
  }

  const JsonObject& object_;
  McpImport& import_;
  McpServerResource server_;
};

// Where the list is, in the files of the programs that have one.
const JsonObject* find_list(const JsonObject& document) {
  for (const std::string_view key : {"mcpServers", "servers", "context_servers"})
    if (const JsonObject* list = object_field(document, key)) return list;
  const JsonObject* mcp = object_field(document, "mcp");
  if (mcp == nullptr) return nullptr;
  const JsonObject* inner = object_field(*mcp, "servers");
  return inner != nullptr ? inner : mcp;
}

}  // namespace

Result<McpImport> import_mcp_servers(const Json& document, std::set<std::string> taken) {
  const JsonObject* list = find_list(object_or_empty(document));
  if (list == nullptr) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "there is no list of MCP servers in the file",
                 .suggestion =
                     "It should hold `mcpServers`, `servers` or `mcp.servers`: an object "
                     "with a name for each server."};
  }
  McpImport import;
  for (const auto& [key, value] : *list) {
    const std::string given(key);
    const std::string name = allowed_name(given, taken);
    if (!value.is_object()) {
      import.notes.push_back("'" + given + "' was left out: it is no object");
      continue;
    }
    const auto first = static_cast<std::ptrdiff_t>(import.notes.size());
    if (!Entry(name, value.get_object(), import).read()) continue;
    taken.insert(mcp_name_look(name));
    if (name != given)
      import.notes.insert(import.notes.begin() + first,
                          "'" + given + "' is called '" + name + "' now: " +
                              (looks_built_in(given) ? "a built-in tool is called so"
                                                     : "the name was taken or not allowed"));
  }
  return import;
}

}  // namespace goondan::cli
