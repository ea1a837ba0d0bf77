// The author's side of the hourglass: turns `gdn_call` into a `ToolContext`, and whatever the
// handler does into exactly one reply. Part of `libgoondan_plugin.a` only.
#include <array>
#include <deque>
#include <exception>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include <goondan/plugin.h>

#include "host/native/plugin_json.h"
#include "host/sdk/host_proxy.h"

namespace goondan::plugin {
namespace {

// Longer is as good as for ever, and would overflow the clock.
constexpr std::chrono::hours kLongestTimeout{24 * 365};

// Where a context of common size is read without a single allocation.
constexpr std::size_t kContextBytes = 4096;

std::string_view view(gdn_bytes bytes) {
  return bytes.size == 0 ? std::string_view() : std::string_view(bytes.data, bytes.size);
}

std::string text_at(const JsonObject& object, std::string_view key) {
  const Json* const value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

// Faster than `parse_json`, which distrusts its text: this one is written by the runtime.
Json parse_context(std::string_view text, boost::json::storage_ptr memory) {
  boost::json::parse_options options;
  options.max_depth = kPluginJsonLimits.max_depth + 1;
  boost::json::error_code problem;
  return boost::json::parse(text, problem, std::move(memory), options);
}

CallScope read_scope(const JsonObject& context) {
  CallScope scope{.agent_name = text_at(context, "agentName"),
                  .instance_key = text_at(context, "instanceKey"),
                  .turn_id = text_at(context, "turnId"),
                  .trace_id = text_at(context, "traceId"),
                  .workdir = text_at(context, "workdir")};
  if (const Json* const message = context.if_contains("message")) scope.message = *message;
  return scope;
}

Deadline read_deadline(const JsonObject& context) {
  const Json* const timeout = context.if_contains("timeoutMs");
  if (timeout == nullptr || !timeout->is_int64()) return Deadline::max();
  const std::chrono::milliseconds time(timeout->get_int64());
  return time > kLongestTimeout ? Deadline::max() : Clock::now() + time;
}

// Lets the runtime stop the call for as long as this lives.
class StopLink {
 public:
  explicit StopLink(const gdn_call& call) : call_(call) {
    call_.api->on_stop(
        call_.host, [](void* self) { static_cast<std::stop_source*>(self)->request_stop(); },
        &source_);
  }
  ~StopLink() { call_.api->on_stop(call_.host, nullptr, nullptr); }
  StopLink(const StopLink&) = delete;
  StopLink& operator=(const StopLink&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  const gdn_call& call_;
  std::stop_source source_;
};

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

void reply(const gdn_call& call, const Result<Json>& outcome) {
  const std::string text =
      outcome.ok() ? to_text(*outcome) : to_text(error_to_json(outcome.error()));
  call.reply(call.host, outcome.ok() ? GDN_REPLY_OK : GDN_REPLY_ERROR,
             {.data = text.data(), .size = text.size()});
}

// One of the borders where exceptions end: nothing may be thrown into the runtime.
void invoke(void* self, const gdn_call* call) noexcept {
  const Handler& handler = *static_cast<const Handler*>(self);
  try {
    reply(*call, run_handler(handler, *call));
  } catch (const std::exception& exception) {
    reply(*call, tool_error(exception.what()));
  } catch (...) {
    reply(*call, tool_error("Unknown tool execution error"));
  }
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
