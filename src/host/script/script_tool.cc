#include "host/script/script_tool.h"

#include "host/native/check_handlers.h"
#include "host/peer/tool_peer_call.h"
#include "host/script/load_module.h"
#include "host/script/script_host.h"
#include "tool/declared.h"

namespace goondan {

ScriptTool::ScriptTool(std::filesystem::path bundle_root, ToolResource tool,
                       std::shared_ptr<Peer> host, Json place)
    : bundle_root_(std::move(bundle_root)),
      tool_(std::move(tool)),
      host_(std::move(host)),
      place_(std::move(place)) {}

Result<std::string> ScriptTool::load(Deadline deadline, const std::stop_token& stop) const {
  const auto check = [tool = tool_.meta.name,
                      names = export_names(tool_)](const std::vector<std::string>& handlers) {
    return check_handlers(tool, names, handlers, HandlerHome::Script);
  };
  return load_module(*host_, {.root = bundle_root_,
                              .entry = tool_.entry,
                              .kind = "tool",
                              .check = check,
                              .deadline = deadline,
                              .stop = stop,
                              .dialect = tool_.meta.dialect,
                              .place = place_});
}

Result<std::string> ScriptTool::module(Deadline deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (state_ == State::Loading &&
      !changed_.wait_until(lock, stop, deadline, [this] { return state_ != State::Loading; })) {
    return Error{.code = stop.stop_requested() ? ErrorCode::ToolCancelled : ErrorCode::ToolTimeout,
                 .message = "tool '" + tool_.meta.name + "' was still being loaded"};
  }
  if (state_ == State::Loaded) return module_;
  state_ = State::Loading;
  lock.unlock();
  Result<std::string> loaded = load(deadline, stop);
  lock.lock();
  state_ = loaded.ok() ? State::Loaded : State::Unloaded;
  if (loaded.ok()) module_ = *loaded;
  changed_.notify_all();
  const std::string whose = "tool '" + tool_.meta.name + "'";
  if (!loaded.ok() && !loaded.error().message.starts_with(whose))
    loaded.error().message = whose + ": " + loaded.error().message;
  return loaded;
}

Result<Json> ScriptTool::call(const std::string& export_name, ToolContext& context,
                              const JsonObject& input) {
  const std::string key = GDN_TRY(module(context.deadline(), context.stop()));
  return call_tool_peer(*host_, context,
                        {.method = "tool",
                         .params = {{"module", key}, {"export", export_name}, {"input", input}},
                         .dialect = tool_.meta.dialect});
}

Result<void> ScriptTool::add(ToolRegistry& registry, const std::shared_ptr<ScriptTool>& tool) {
  for (const ToolExport& exported : tool->tool_.exports) {
    GDN_TRY(registry.add(
        {.item = declared_item(tool->tool_, exported),
         .handler = [tool, name = exported.name](
                        ToolContext& context,
                        const JsonObject& input) { return tool->call(name, context, input); },
         .thread = HandlerThread::Caller,
         .error_message_limit = tool->tool_.error_message_limit}));
  }
  return {};
}

Result<void> add_script_tool(ToolRegistry& registry, const Bundle& bundle, const ToolResource& tool,
                             const std::shared_ptr<Peer>& host) {
  const auto script = std::make_shared<ScriptTool>(bundle.root(), tool, host);
  GDN_TRY(script->module(Deadline::max(), {}));
  return ScriptTool::add(registry, script);
}

}  // namespace goondan
