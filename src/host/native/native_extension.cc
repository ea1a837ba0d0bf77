#include "host/native/native_extension.h"

#include "host/native/check_extension.h"
#include "host/native/extension_in_process.h"
#include "host/native/load_native.h"
#include "host/native/plugin_library.h"
#include "host/native/plugin_worker.h"
#include "host/native/program_paths.h"
#include "host/native/source_build.h"
#include "host/native/worker_main.h"
#include "host/peer/peer_process.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

Result<std::shared_ptr<Peer>> load_here(const ExtensionResource& extension, const fs::path& path) {
  auto library = GDN_TRY(PluginLibrary::load(path));
  GDN_TRY(check_extension(extension.meta.name, library->export_names()));
  return make_extension_in_process(std::move(library));
}

Error load_failed(const std::string& name, const Error& error) {
  const bool died = error.code == ErrorCode::ExtensionCrash || error.code == ErrorCode::ToolTimeout;
  if (!died) return error;
  return {.code = ErrorCode::ExtensionLoad,
          .message = "extension '" + name + "' could not be loaded: " + error.message,
          .suggestion = "Look at the static constructors of its plugin."};
}

Result<void> load_there(Peer& peer, const std::string& name, const fs::path& path,
                        const std::stop_token& stop) {
  const Result<Json> loaded = peer.call(
      {.method = "load",
       .params = JsonObject{{"module", name}, {"path", path.string()}, {"kind", "extension"}},
       .deadline = Clock::now() + kWorkerStartTime,
       .stop = stop});
  return loaded.ok() ? Result<void>() : load_failed(name, loaded.error());
}

Result<std::shared_ptr<Peer>> start_worker(const ExtensionResource& extension, const fs::path& path,
                                           const std::stop_token& stop) {
  const fs::path program = GDN_TRY(worker_program());
  const std::string& name = extension.meta.name;
  auto peer = make_peer_process(
      {.name = "extension '" + name + "'", .child = [program]() -> Result<os::ChildOptions> {
         return os::ChildOptions{.argv = {program.string(), "plugin-worker", kExtensionMode},
                                 .leads = os::ChildOptions::Leads::Session};
       }});
  // When it is started again later, nobody waits for it with this stop.
  GDN_TRY(peer->add_setup([name, path, first = stop](Peer& there) mutable {
    return load_there(there, name, path, std::exchange(first, {}));
  }));
  return peer;
}

}  // namespace

Result<std::shared_ptr<Peer>> load_native_extension(const Bundle& bundle,
                                                    const ExtensionResource& extension,
                                                    const std::stop_token& stop) {
  fs::path path = GDN_TRY(resolve_entry(bundle.root(), extension.entry));
  if (is_plugin_source(path)) {
    const SdkPaths sdk = GDN_TRY(sdk_paths());
    path = GDN_TRY(build_plugin(path, sdk, stop));
  }
  if (extension.isolation == Isolation::InProcess) return load_here(extension, path);
  return start_worker(extension, path, stop);
}

}  // namespace goondan
