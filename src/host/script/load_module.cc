#include "host/script/load_module.h"

#include "base/json_fields.h"
#include "host/native/load_native.h"
#include "host/script/script_runtime.h"

namespace goondan {
namespace {

// What a setup needs when it is run again, long after its maker has returned.
struct Loading {
  std::string kind;
  std::string key;
  std::string path;
  JsonObject params;
  bool loaded = false;  // once; setups run one after the other
};

Result<Json> call_load(Peer& host, const Loading& loading, Deadline deadline,
                       const std::stop_token& stop) {
  Result<Json> reply = host.call({.method = "load",
                                  .params = loading.params,
                                  .deadline = std::min(deadline, Clock::now() + kModuleLoadTime),
                                  .stop = stop});
  if (reply.ok() || reply.error().code != ErrorCode::ToolTimeout) return reply;
  return Error{
      .code = ErrorCode::ToolTimeout,
      .message = "'" + loading.path + "' was not loaded in time: it does not come to its end",
      .suggestion =
          "Look for a loop or an `await` outside of its functions that never "
          "ends, also in what it imports."};
}

// Whether the host itself is at fault, and not the module.
bool host_failed(const Error& error) {
  return error.code == ErrorCode::ExtensionCrash || error.code == ErrorCode::HostUnavailable;
}

std::vector<std::string> handlers_of(const Json& reply) {
  std::vector<std::string> names;
  const JsonArray* const array = array_field(object_or_empty(reply), "handlers");
  if (array == nullptr) return names;
  for (const Json& name : *array) {
    if (name.is_string()) names.emplace_back(name.get_string());
  }
  return names;
}

Result<void> load_first(Peer& host, const Loading& loading, const ModuleToLoad& module) {
  const Json reply = GDN_TRY(call_load(host, loading, module.deadline, module.stop));
  return module.check ? module.check(handlers_of(reply)) : Result<void>();
}

Result<void> load_again(Peer& host, const Loading& loading) {
  const Result<Json> reply = call_load(host, loading, Deadline::max(), {});
  if (reply.ok()) return {};
  // A tool that is broken now fails its own calls: the host does not know its module.
  if (loading.kind == "tool" && !host_failed(reply.error())) return {};
  return reply.error();
}

std::shared_ptr<Loading> loading_of(const ModuleToLoad& module, const std::filesystem::path& path) {
  const std::string key = std::string(module.kind) + ":" + path.string();
  JsonObject params{{"module", key}, {"path", path.string()}, {"kind", module.kind}};
  if (module.dialect == Dialect::V1Alpha1) {
    params["dialect"] = "v1alpha1";
    params["place"] = module.place;
  }
  return std::make_shared<Loading>(Loading{.kind = std::string(module.kind),
                                           .key = key,
                                           .path = path.string(),
                                           .params = std::move(params)});
}

}  // namespace

Result<std::string> load_module(Peer& host, const ModuleToLoad& module) {
  const std::filesystem::path path = GDN_TRY(resolve_entry(module.root, module.entry));
  const ScriptRuntime runtime = GDN_TRY(find_script_runtime(program_of(module.dialect)));
  GDN_TRY(check_runs(runtime, module.entry));
  const std::shared_ptr<Loading> loading = loading_of(module, path);
  // Brings the host up within the deadline, which a setup does not have.
  const Result<Json> up =
      host.call({.method = "ping", .deadline = module.deadline, .stop = module.stop});
  if (!up.ok() && up.error().code != ErrorCode::NotFound) return up.error();
  const Peer::Setup setup = [loading, module](Peer& peer) {
    if (loading->loaded) return load_again(peer, *loading);
    Result<void> loaded = load_first(peer, *loading, module);
    loading->loaded = loaded.ok();
    return loaded;
  };
  GDN_TRY(host.add_setup(setup));
  return loading->key;
}

}  // namespace goondan
