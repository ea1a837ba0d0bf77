// JavaScript and TypeScript: one child process for all tools and extensions of an agent.
//
// The child is Bun or Node, running `script-host/host.mjs` of this project. It is started with the
// first call, started again after it ended (with growing pauses if it keeps ending), and killed
// with everything it started when this object goes or this process dies.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <goondan/bundle.h>
#include <goondan/registry.h>

#include "host/peer/peer.h"
#include "host/script/script_runtime.h"

namespace goondan {

struct ScriptOptions {
  std::filesystem::path bundle_root;
  std::string name = {};  // whose code it is, for `ps` and messages, e.g. the agent's
  // Any: `$GOONDAN_SCRIPT_RUNTIME`, else Bun, else Node of a sufficient version, all from PATH.
  ScriptProgram program = ScriptProgram::Any;
};

// Starts nothing yet.
std::shared_ptr<Peer> make_script_host(ScriptOptions options);

bool is_script_entry(std::string_view entry);  // .ts .mts .cts .js .mjs .cjs

// Loads the module `entry` of the bundle into the child, now and after each restart. The key is
// what `tool` and `register` name it by. `host` runs `program_of(dialect)`.
Result<std::string> load_script(Peer& host, const Bundle& bundle, std::string_view entry,
                                std::string_view kind,  // "tool" | "extension"
                                Dialect dialect = Dialect::V1);

// Loads the tool's module, compares its `handlers` with the exports, and registers these.
Result<void> add_script_tool(ToolRegistry& registry, const Bundle& bundle, const ToolResource& tool,
                             const std::shared_ptr<Peer>& host);

}  // namespace goondan
