#include "builtin/bash/bash.h"

#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/bash/embedded.h"
#include "builtin/bash/environment.h"
#include "builtin/bash/outcome.h"
#include "os/rooted_files.h"

namespace goondan::builtin::bash {
namespace {

constexpr const char* kExecShell = "/bin/sh";
constexpr std::string_view kScriptShell = "/bin/bash";

// A folder to run in, and what it is called.
struct Place {
  os::UniqueFd folder;
  std::string path;
};

Result<Place> open_place(const os::Workspace& workspace, std::string_view path) {
  const os::RootedPath rooted = GDN_TRY(workspace.resolve(path, os::Access::Read));
  os::UniqueFd folder = GDN_TRY(os::open_folder(rooted));
  return Place{.folder = std::move(folder), .path = rooted.absolute};
}

Result<Json> exec(const Services& services, ToolContext& context, const JsonObject& input) {
  const std::string command(text_argument(input, "command").value_or(""));
  if (command.empty()) return invalid_argument("command", "must be a non-empty string");
  GDN_TRY(check_text("command", command));
  const os::Workspace workspace = GDN_TRY(services.workspace(context));
  Place place = GDN_TRY(open_place(workspace, text_argument(input, {"cwd"}).value_or(".")));
  std::vector<std::string> environment = GDN_TRY(
      command_environment(services.shell_environment, object_argument(input, "env"), place.path));

  os::Command prepared{
      .texts = {.argv = {kExecShell, "-c", command}, .environment = std::move(environment)},
      .folder = std::move(place.folder)};
  const os::CommandOutcome outcome = GDN_TRY(run(services, context, std::move(prepared), input));
  JsonObject result{{"command", command}, {"cwd", utf8::repaired(place.path)}};
  add_outcome(result, outcome, *services.redactor);
  return result;
}

struct Script {
  std::string shell;
  std::string path;  // absolute
  std::vector<std::string> args;
};

Result<Script> read_script(const os::Workspace& workspace, const JsonObject& input) {
  const std::string_view path = text_argument(input, "path").value_or("");
  if (path.empty()) return invalid_argument("path", "must be a non-empty string");
  const os::RootedPath rooted = GDN_TRY(workspace.resolve(path, os::Access::Read));
  GDN_TRY(os::check_readable_file(rooted));
  Script script{.shell = std::string(text_argument(input, {"shell"}).value_or(kScriptShell)),
                .path = rooted.absolute};
  GDN_TRY(check_text("shell", script.shell));
  if (const JsonArray* args = array_argument(input, "args")) {
    for (const Json& argument : *args) {
      script.args.emplace_back(argument.get_string());
      GDN_TRY(check_text("args", script.args.back()));
    }
  }
  return script;
}

std::vector<std::string> command_line(const Script& script) {
  std::vector<std::string> argv{script.shell, script.path};
  argv.insert(argv.end(), script.args.begin(), script.args.end());
  return argv;
}

Error unknown_shell(const std::string& shell) {
  return {.code = ErrorCode::NotFound,
          .message = "'shell' names '" + shell + "', and there is no such program",
          .suggestion = "Use /bin/bash, /bin/sh, or the path of another interpreter."};
}

Result<Json> script(const Services& services, ToolContext& context, const JsonObject& input) {
  const os::Workspace workspace = GDN_TRY(services.workspace(context));
  const Script script = GDN_TRY(read_script(workspace, input));
  Place place = GDN_TRY(open_place(workspace, "."));
  std::vector<std::string> environment = GDN_TRY(
      command_environment(services.shell_environment, object_argument(input, "env"), place.path));

  os::Command prepared{
      .texts = {.argv = command_line(script), .environment = std::move(environment)},
      .folder = std::move(place.folder)};
  const Result<os::CommandOutcome> outcome = run(services, context, std::move(prepared), input);
  if (!outcome.ok() && outcome.error().code == ErrorCode::NotFound)
    return unknown_shell(script.shell);
  if (!outcome.ok()) return outcome.error();
  JsonObject result{{"path", utf8::repaired(script.path)},
                    {"shell", script.shell},
                    {"args", JsonArray(script.args.begin(), script.args.end())}};
  add_outcome(result, *outcome, *services.redactor);
  return result;
}

}  // namespace

Definition definition() {
  return {.name = "bash",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "exec", .handle = exec}, {.name = "script", .handle = script}}};
}

}  // namespace goondan::builtin::bash
