// The program that runs JavaScript and TypeScript: which one there is, and what it can do.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/resources.h>
#include <goondan/result.h>

namespace goondan {

// What may run a module. Code of the first dialect says `runtime: node`, and means it.
enum class ScriptProgram { Any, Node };

ScriptProgram program_of(Dialect dialect);

using RuntimeVersion = std::array<int, 3>;

// A value.
struct ScriptRuntime {
  enum class Kind { Bun, Node };

  Kind kind = Kind::Node;
  std::string program = {};  // the path
  RuntimeVersion version = {};

  [[nodiscard]] std::string text() const;  // "Node 20.20.2"
  // Node from 22.6 on; Bun always.
  [[nodiscard]] bool runs_typescript() const;
  // How to run `module` with it.
  [[nodiscard]] std::vector<std::string> command(const std::string& module) const;
};

// `$GOONDAN_SCRIPT_RUNTIME`, else `bun` of PATH, else, or if that does not work, `node`. For
// `ScriptProgram::Node` the first two are not taken if they are Bun. A program is asked for its
// version once in the life of this process. Fails with `E_HOST_UNAVAILABLE`, saying what to
// install. Thread-safe.
Result<ScriptRuntime> find_script_runtime(ScriptProgram program = ScriptProgram::Any);

// Whether `runtime` can run a file of that name; `E_HOST_UNAVAILABLE` says what could.
Result<void> check_runs(const ScriptRuntime& runtime, std::string_view entry);

// What `--version` printed: `v24.1.0` is Node, `1.4.4` Bun. Nothing for other text.
std::optional<ScriptRuntime> parse_runtime(std::string_view printed);

}  // namespace goondan
