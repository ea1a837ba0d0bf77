// The author's side of the hourglass: turns `gdn_call` into a `ToolContext`, and whatever the
// handler does into exactly one reply. Part of `libgoondan_plugin.a` only.
#include <array>
#include <deque>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include <goondan/plugin.h>

#include "host/native/plugin_json.h"
#include "host/sdk/call_parts.h"
#include "host/sdk/guarded.h"
#include "host/sdk/host_proxy.h"

namespace goondan::plugin {
namespace {

// Where a context of common size is read without a single allocation.
constexpr std::size_t kContextBytes = 4096;

// Faster than `parse_json`, which distrusts its text: this one is written by the runtime.
Json parse_context(std::string_view text, boost::json::storage_ptr memory) {
  boost::json::parse_options options;
  options.max_depth = kPluginJsonLimits.max_depth + 1;
  boost::json::error_code problem;
  return boost::json::parse(text, problem, std::move(memory), options);
}

Result<Json> run_handler(const Handler& handler, const gdn_call& call) {
  const Json input = GDN_TRY(parse_json(view(call.input_json), kPluginJsonLimits));
  std::array<unsigned char, kContextBytes> space;
  boost::json::monotonic_resource memory(space.data(), space.size());
  const Json context = parse_context(view(call.context_json), &memory);
  if (!input.is_object() || !context.is_object()) {
    return Error{.code = ErrorCode::Internal, .message = "the runtime sent no object"};
  }
  const CallScope scope = read_scope(context.get_object());
  const std::string call_id = text_at(context.get_object(), "toolCallId");
  HostProxy host(call);
  const StopLink stop(call);
  ToolContext tool_context({.scope = scope,
                            .tool_call_id = call_id,
                            .deadline = read_deadline(context.get_object()),
                            .stop = stop.token(),
                            .host = host});
  return handler(tool_context, input.get_object());
}

void invoke(void* self, const gdn_call* call) noexcept {
  const Handler& handler = *static_cast<const Handler*>(self);
  reply_guarded(*call, ErrorCode::Tool, [&] { return run_handler(handler, *call); });
}

// The C structs and what they point to. Deques, because the structs must not move.
struct Table {
  std::deque<std::string> names;
  std::deque<Handler> handlers;
  std::deque<gdn_export> exports;
  std::vector<const gdn_export*> pointers;
  gdn_plugin plugin{};

  void add(const Export& item) {
    names.emplace_back(item.name == nullptr ? "" : item.name);
    handlers.push_back(item.handler);
    exports.push_back({.size = sizeof(gdn_export),
                       .name = names.back().c_str(),
                       .self = &handlers.back(),
                       .invoke = invoke});
    pointers.push_back(&exports.back());
  }
};

}  // namespace

const gdn_plugin* make_plugin(std::initializer_list<Export> exports) noexcept {
  // Never destroyed: a call may still run while the process ends.
  Table* const table = std::make_unique<Table>().release();
  for (const Export& item : exports)
    table->add(item);
  table->plugin = {.size = sizeof(gdn_plugin),
                   .abi_version = GDN_ABI_VERSION,
                   .export_count = static_cast<std::uint32_t>(exports.size()),
                   .exports = table->pointers.data()};
  return &table->plugin;
}

}  // namespace goondan::plugin
