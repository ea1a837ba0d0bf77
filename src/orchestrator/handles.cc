#include "orchestrator/handles.h"

#include <algorithm>
#include <utility>

#include "base/ids.h"
#include "base/json_fields.h"
#include "base/utf8.h"
#include "orchestrator/payloads.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {
namespace {

using store::HandleState;

// A value as the journal keeps it; empty for none.
Result<std::string> kept_text(std::string_view what, const Json& value) {
  if (value.is_null()) return std::string();
  GDN_TRY(check_depth(what, value));
  std::string text = to_text(value);
  if (text.size() <= kMaxHandleOutputBytes) return text;
  return Error{.code = ErrorCode::Limit,
               .message = std::string(what) + " has " + std::to_string(text.size()) +
                          " bytes; at most " + std::to_string(kMaxHandleOutputBytes) + " are kept",
               .suggestion = "Write it to a file and give its path."};
}

Json completion_error(const Json& given) {
  if (given.is_object() && !text_field(given.get_object(), "message").empty()) return given;
  const std::string text = given.is_string() ? std::string(given.get_string()) : to_text(given);
  return error_json(tool_error(text));
}

std::string short_text(const JsonObject& params, std::string_view name) {
  return std::string(utf8::prefix(text_field(params, name), kMaxIdBytes));
}

}  // namespace

bool Handles::run(const Asker& asker, std::string_view method, const JsonObject& params) {
  if (method == "open" && asker.agent) {
    answer(asker, open(asker, params));
  } else if (method == "complete" && !asker.agent) {
    answer(asker, complete(params));
  } else if (method == "cancel") {
    answer(asker, cancel(asker, params));
  } else if (method == "list") {
    answer(asker, list(asker, params));
  } else if (method == "wait") {
    Result<std::optional<Json>> result = wait(asker, params);
    if (!result.ok()) {
      answer(asker, std::move(result).error());
    } else if (result->has_value()) {
      answer(asker, **std::move(result));
    }
  } else {
    return false;
  }
  return true;
}

void Handles::answer(const Asker& asker, Result<Json> result) {
  if (asker.agent) {
    board_.out.reply_agent(*asker.agent, asker.generation, asker.request_id, std::move(result));
  } else {
    board_.out.reply_client(asker.client, asker.request_id, std::move(result));
  }
}

Result<Json> Handles::open(const Asker& asker, const JsonObject& params) {
  store::HandleRecord handle{.handle = text_field(params, "handle"),
                             .agent = asker.agent->agent,
                             .instance_key = asker.agent->key,
                             .tool_name = short_text(params, "toolName"),
                             .tool_call_id = short_text(params, "toolCallId"),
                             .created_at = iso_now(),
                             .surroundings = surroundings_text(surroundings_of(params))};
  GDN_TRY(check_depth("'origin' or 'auth'", surroundings_of(params)));
  GDN_TRY(check_id("'handle'", handle.handle));
  handle.output = GDN_TRY(kept_text("'output'", any_field(params, "output")));
  if (const Instance* owner = board_.queues.find(*asker.agent)) handle.trace_id = owner->trace_id;
  GDN_TRY(board_.journal.open_handle(handle));
  const store::HandleRecord kept = GDN_TRY(find(params));
  observe("handle.opened", kept);
  return handle_json(kept);
}

Result<Json> Handles::complete(const JsonObject& params) {
  store::HandleRecord handle = GDN_TRY(find(params));
  const Json error = any_field(params, "error");
  handle.state = error.is_null() ? HandleState::Ok : HandleState::Error;
  if (error.is_null()) {
    handle.output = GDN_TRY(kept_text("'output'", any_field(params, "output")));
  } else {
    handle.error = GDN_TRY(kept_text("'error'", completion_error(error)));
  }
  return close(std::move(handle), Suppress::No);
}

Result<Json> Handles::cancel(const Asker& asker, const JsonObject& params) {
  store::HandleRecord handle = GDN_TRY(find(params));
  const InstanceName owner{handle.agent, handle.instance_key};
  if (asker.agent && *asker.agent != owner) {
    return Error{.code = ErrorCode::HandleNotFound,
                 .message = "handle '" + handle.handle + "' belongs to " + owner.text() +
                            "; only that agent can cancel it",
                 .suggestion = "Call handles__list to see your own."};
  }
  handle.state = HandleState::Cancelled;
  const std::string reason = text_field(params, "reason");
  if (!reason.empty()) {
    const Error error{.code = ErrorCode::ToolCancelled,
                      .message = cut_text(reason, kDefaultErrorMessageLimit)};
    handle.error = to_text(error_json(error));
  }
  return close(std::move(handle), asker.agent ? Suppress::Yes : Suppress::No);
}

Result<Json> Handles::list(const Asker& asker, const JsonObject& params) {
  const bool all = !asker.agent || true_field(params, "includeAll");
  const std::vector<store::HandleRecord> handles = GDN_TRY(board_.journal.handles());
  ListReply reply("handles");
  for (const store::HandleRecord& handle : handles) {
    if (all || InstanceName{handle.agent, handle.instance_key} == *asker.agent) {
      reply.add(handle_summary(handle));
    }
  }
  return reply.take();
}

Result<store::HandleRecord> Handles::find(const JsonObject& params) {
  const std::string name = text_field(params, "handle");
  GDN_TRY(check_id("'handle'", name));
  std::optional<store::HandleRecord> handle = GDN_TRY(board_.journal.handle(name));
  if (handle) return *std::move(handle);
  return Error{.code = ErrorCode::HandleNotFound,
               .message = "no pending result with the handle '" + name + "'",
               .suggestion = "Look at the handles there are: gdn handles, or handles__list."};
}

}  // namespace goondan::orchestrator
