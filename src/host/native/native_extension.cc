#include "host/native/native_extension.h"

#include "host/native/check_extension.h"
#include "host/native/extension_in_process.h"
#include "host/native/load_native.h"
#include "host/native/plugin_library.h"
#include "host/native/program_paths.h"
#include "host/native/source_build.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

Result<std::shared_ptr<Peer>> load_here(const ExtensionResource& extension, const fs::path& path) {
  auto library = GDN_TRY(PluginLibrary::load(path));
  GDN_TRY(check_extension(extension.meta.name, library->export_names()));
  return make_extension_in_process(std::move(library));
}

Result<std::shared_ptr<Peer>> start_worker(const ExtensionResource& extension, const fs::path&) {
  return Error{.code = ErrorCode::ExtensionLoad,
               .message = "extension '" + extension.meta.name + "' cannot be loaded"};
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
  return start_worker(extension, path);
}

}  // namespace goondan
