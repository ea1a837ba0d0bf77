#include "host/script/script_host.h"

#include <algorithm>
#include <array>

#include "host/native/program_paths.h"
#include "host/peer/peer_process.h"
#include "host/script/load_module.h"
#include "host/script/script_runtime.h"

namespace goondan {
namespace {

std::string host_name(const ScriptOptions& options) {
  return options.name.empty() ? "the script host" : "the script host of '" + options.name + "'";
}

Result<os::ChildOptions> child_options(const ScriptOptions& options) {
  const std::filesystem::path module = GDN_TRY(script_host_module());
  const ScriptRuntime runtime = GDN_TRY(find_script_runtime(options.program));
  return os::ChildOptions{.argv = runtime.command(module.string()),
                          .folder = options.bundle_root.string()};
}

}  // namespace

std::shared_ptr<Peer> make_script_host(ScriptOptions options) {
  std::string name = host_name(options);
  return make_peer_process({.name = std::move(name), .child = [options = std::move(options)] {
                              return child_options(options);
                            }});
}

bool is_script_entry(std::string_view entry) {
  constexpr std::array<std::string_view, 6> kScript{".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"};
  return std::ranges::any_of(kScript,
                             [entry](std::string_view ending) { return entry.ends_with(ending); });
}

Result<std::string> load_script(Peer& host, const Bundle& bundle, std::string_view entry,
                                std::string_view kind, Dialect dialect) {
  return load_module(
      host, {.root = bundle.root(), .entry = std::string(entry), .kind = kind, .dialect = dialect});
}

}  // namespace goondan
