#include "host/script/script_runtime.h"

#include <charconv>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/utf8.h"
#include "os/capture.h"
#include "os/find_program.h"

namespace goondan {
namespace {

constexpr RuntimeVersion kOldestNode{18, 0, 0};
// Types are stripped from here on if it is asked for.
constexpr RuntimeVersion kStripsTypes{22, 6, 0};
constexpr std::chrono::seconds kVersionTime{20};
constexpr std::size_t kVersionBytes = 4096;
constexpr std::size_t kShownBytes = 200;
constexpr const char* kInstall = "Install Bun (https://bun.sh), or Node 22.6 or later.";

// Whether Node strips types without being asked: from 22.18, and from 23.6.
bool strips_by_itself(const RuntimeVersion& version) {
  if (version[0] == 22) return version[1] >= 18;
  if (version[0] == 23) return version[1] >= 6;
  return version[0] >= 24;
}

std::string version_text(const RuntimeVersion& version) {
  return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
         std::to_string(version[2]);
}

// ": node: bad option", for whoever has to find out why.
std::string answer_text(const Result<os::Captured>& captured) {
  if (!captured.ok()) return ": " + captured.error().message;
  if (captured->ended == os::Wake::TimedOut) {
    return ", and did not end within " + std::to_string(kVersionTime.count()) + " s";
  }
  const std::string_view line =
      std::string_view(captured->output).substr(0, captured->output.find('\n'));
  if (line.empty()) return ": it printed nothing";
  return ": " + utf8::repaired(line.substr(0, kShownBytes));
}

Result<ScriptRuntime> ask_version(const std::string& program) {
  const Result<os::Captured> captured = os::run_captured({.child = {.argv = {program, "--version"}},
                                                          .max_output = kVersionBytes,
                                                          .deadline = Clock::now() + kVersionTime});
  std::optional<ScriptRuntime> found;
  if (captured.ok()) found = parse_runtime(captured->output);
  if (!found) {
    return Error{.code = ErrorCode::HostUnavailable,
                 .message = "'" + program + " --version' does not answer as Bun or Node do" +
                            answer_text(captured),
                 .suggestion = kInstall};
  }
  found->program = program;
  return *found;
}

// Versions do not change while we run: one memory for the process, by path.
Result<ScriptRuntime> known_version(const std::string& program) {
  static std::mutex mutex;
  static std::map<std::string, ScriptRuntime> known;
  const std::scoped_lock lock(mutex);
  if (const auto found = known.find(program); found != known.end()) return found->second;
  const ScriptRuntime runtime = GDN_TRY(ask_version(program));
  known.emplace(program, runtime);
  return runtime;
}

Error wrong_choice(Error error) {
  error.code = ErrorCode::HostUnavailable;
  error.message = "GOONDAN_SCRIPT_RUNTIME: " + error.message;
  error.suggestion = "Set it to the path of Bun or Node, or unset it.";
  return error;
}

Error too_old(const ScriptRuntime& runtime) {
  return {.code = ErrorCode::HostUnavailable,
          .message = runtime.text() + " ('" + runtime.program +
                     "') is too old to run tools and extensions",
          .suggestion = kInstall};
}

Result<ScriptRuntime> usable(const std::string& program) {
  ScriptRuntime runtime = GDN_TRY(known_version(program));
  if (runtime.kind == ScriptRuntime::Kind::Node && runtime.version < kOldestNode) {
    return too_old(runtime);
  }
  return runtime;
}

bool is_node(const Result<ScriptRuntime>& runtime) {
  return runtime.ok() && runtime->kind == ScriptRuntime::Kind::Node;
}

Result<ScriptRuntime> node_of_path() {
  if (const std::string node = os::find_in_path("node"); !node.empty()) {
    Result<ScriptRuntime> found = usable(node);
    if (!found.ok() || is_node(found)) return found;
  }
  return Error{.code = ErrorCode::HostUnavailable,
               .message =
                   "code of agents.example.io/v1alpha1 says `runtime: node`, and there is no "
                   "Node in PATH",
               .suggestion = "Install Node 22.6 or later, or name it in GOONDAN_SCRIPT_RUNTIME."};
}

Result<ScriptRuntime> chosen_runtime(const char* chosen) {
  const Result<std::string> found = os::find_program({.argv = {chosen}});
  if (!found.ok()) return wrong_choice(found.error());
  return usable(*found);
}

}  // namespace

ScriptProgram program_of(Dialect dialect) {
  return dialect == Dialect::V1Alpha1 ? ScriptProgram::Node : ScriptProgram::Any;
}

std::string ScriptRuntime::text() const {
  return (kind == Kind::Bun ? "Bun " : "Node ") + version_text(version);
}

bool ScriptRuntime::runs_typescript() const {
  return kind == Kind::Bun || version >= kStripsTypes;
}

std::vector<std::string> ScriptRuntime::command(const std::string& module) const {
  std::vector<std::string> argv{program};
  // Bun would fetch packages that are missing from the network and run them, and read `.env`, which
  // is for the runtime to read.
  if (kind == Kind::Bun) argv.insert(argv.end(), {"--no-install", "--env-file=/dev/null"});
  if (kind == Kind::Node && runs_typescript()) {
    if (!strips_by_itself(version)) argv.emplace_back("--experimental-strip-types");
    argv.emplace_back("--disable-warning=ExperimentalWarning");
  }
  argv.push_back(module);
  return argv;
}

std::optional<ScriptRuntime> parse_runtime(std::string_view printed) {
  ScriptRuntime runtime;
  if (printed.starts_with('v')) {
    printed.remove_prefix(1);
  } else {
    runtime.kind = ScriptRuntime::Kind::Bun;
  }
  for (std::size_t i = 0; i < runtime.version.size(); ++i) {
    if (i > 0 && !printed.starts_with('.')) return {};
    if (i > 0) printed.remove_prefix(1);
    const char* const end = printed.data() + printed.size();
    const auto parsed = std::from_chars(printed.data(), end, runtime.version[i]);
    if (parsed.ec != std::errc{} || runtime.version[i] < 0) return {};
    printed = {parsed.ptr, end};
  }
  return runtime;
}

Result<ScriptRuntime> find_script_runtime(ScriptProgram program) {
  const char* const chosen = std::getenv("GOONDAN_SCRIPT_RUNTIME");
  if (chosen != nullptr && *chosen != '\0') {
    Result<ScriptRuntime> runtime = chosen_runtime(chosen);
    const bool fits = program == ScriptProgram::Any || !runtime.ok() || is_node(runtime);
    if (fits) return runtime;
  }
  if (program == ScriptProgram::Node) return node_of_path();
  const std::string bun = os::find_in_path("bun");
  const std::string node = os::find_in_path("node");
  if (bun.empty() && node.empty()) {
    return Error{.code = ErrorCode::HostUnavailable,
                 .message = "JavaScript and TypeScript need Bun or Node, and neither is in PATH",
                 .suggestion = kInstall};
  }
  if (bun.empty()) return usable(node);
  // A `bun` need not be one, e.g. what its package leaves where its installation may run nothing.
  Result<ScriptRuntime> first = usable(bun);
  if (first.ok() || node.empty()) return first;
  Result<ScriptRuntime> second = usable(node);
  return second.ok() ? second : first;
}

Result<void> check_runs(const ScriptRuntime& runtime, std::string_view entry) {
  const bool typescript =
      entry.ends_with(".ts") || entry.ends_with(".mts") || entry.ends_with(".cts");
  if (!typescript || runtime.runs_typescript()) return {};
  return Error{
      .code = ErrorCode::HostUnavailable,
      .message = runtime.text() + " cannot run TypeScript; install Bun or Node 22.6 or later ('" +
                 std::string(entry) + "' needs it)",
      .suggestion = "Install one of them, name it in GOONDAN_SCRIPT_RUNTIME, or use JavaScript."};
}

}  // namespace goondan
