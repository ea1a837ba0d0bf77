// The author's side of an extension: the calls of `docs/extension-protocol.md` become calls of what
// the setup has registered. Part of `libgoondan_plugin.a` only.
#include <array>

#include <goondan/extension.h>

#include "host/native/plugin_json.h"
#include "host/sdk/call_parts.h"
#include "host/sdk/extension_set.h"
#include "host/sdk/guarded.h"
#include "host/sdk/host_proxy.h"
#include "host/sdk/layer_run.h"

namespace goondan::plugin {
namespace {

Error unknown(std::string_view what) {
  return {.code = ErrorCode::ExtensionLoad,
          .message = "the extension has no such " + std::string(what),
          .suggestion = "It must register the same layers and tools whenever it is started."};
}

// -1 if there is none.
std::int64_t number_at(const JsonObject& params, std::string_view key) {
  const Json* const value = params.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : -1;
}

Result<Json> run_layer_call(ExtensionCore& core, JsonObject& params, const gdn_call& call) {
  const auto layer = core.layer(static_cast<std::size_t>(number_at(params, "layer")));
  if (layer == nullptr) return unknown("layer");
  HostProxy host(call);
  const StopLink stop(call);
  LayerRun run(object_at(params, "context"), host, stop.token());
  Json outcome = GDN_TRY(guarded(ErrorCode::Middleware, [&] {
    return std::visit([&run](const auto& function) { return run_layer(function, run); }, *layer);
  }));
  return run.reply(std::move(outcome));
}

// The runtime as a tool of an extension sees it.
class ToolLine final : public ToolHost {
 public:
  explicit ToolLine(const gdn_call& call) : host_(call) {}

  void log(LogLevel level, std::string_view text) override { host_.log(level, text); }
  void progress(const Progress& progress) override { host_.progress(progress); }
  Result<Json> request(std::string_view method, const Json& params) override {
    return host_.request("runtime", JsonObject{{"method", method}, {"params", params}});
  }

 private:
  HostProxy host_;
};

Result<Json> run_tool(ExtensionCore& core, JsonObject& params, const gdn_call& call) {
  const auto handler = core.tool(number_at(params, "tool"));
  if (handler == nullptr) return unknown("tool");
  const JsonObject context = object_at(params, "context");
  const CallScope scope = read_scope(context);
  const std::string call_id = text_at(context, "toolCallId");
  ToolLine host(call);
  const StopLink stop(call);
  ToolContext tool_context({.scope = scope,
                            .tool_call_id = call_id,
                            .deadline = read_deadline(context),
                            .stop = stop.token(),
                            .host = host});
  return (*handler)(tool_context, object_at(params, "input"));
}

Result<Json> answer(ExtensionSet& extensions, const gdn_call& call) {
  if (call.size < sizeof(gdn_call) || call.life == nullptr) {
    return Error{.code = ErrorCode::ExtensionLoad,
                 .message = "this is an extension, but it was called like a tool",
                 .suggestion = "Use it as `kind: Extension`."};
  }
  Json input = GDN_TRY(parse_json(view(call.input_json), kExtensionJsonLimits));
  if (!input.is_object()) return unknown("call");
  const std::string method = text_at(input.get_object(), "method");
  JsonObject params = object_at(input.get_object(), "params");
  if (method == "register") return extensions.add(params, call);
  if (method == "event") {
    const Json* const payload = params.if_contains("payload");
    extensions.deliver(call.life, text_at(params, "name"), payload == nullptr ? Json() : *payload);
    return Json(nullptr);
  }
  ExtensionCore* const core = extensions.find(call.life, params);
  if (core == nullptr) return unknown("name: '" + text_at(params, "extension") + "'");
  if (method == "layer") return run_layer_call(*core, params, call);
  if (method == "extensionTool") return run_tool(*core, params, call);
  return unknown("call: '" + method + "'");
}

void invoke(void* self, const gdn_call* call) noexcept {
  auto& extensions = *static_cast<ExtensionSet*>(self);
  reply_guarded(*call, ErrorCode::Tool, [&] { return answer(extensions, *call); });
}

// The C structs and what they point to.
struct Table {
  explicit Table(Setup setup) : extensions(std::move(setup)) {}

  ExtensionSet extensions;
  gdn_export exported{.size = sizeof(gdn_export),
                      .name = GDN_EXTENSION_EXPORT,
                      .self = &extensions,
                      .invoke = invoke};
  std::array<const gdn_export*, 1> exports{&exported};
  gdn_plugin plugin{.size = sizeof(gdn_plugin),
                    .abi_version = GDN_ABI_VERSION,
                    .export_count = 1,
                    .exports = exports.data()};
};

}  // namespace

const gdn_plugin* make_extension(Setup setup) noexcept {
  // Never destroyed: a call may still run while the process ends.
  return &std::make_unique<Table>(std::move(setup)).release()->plugin;
}

}  // namespace goondan::plugin
