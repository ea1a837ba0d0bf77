#include "host/sdk/layer_run.h"

#include <algorithm>

#include "host/sdk/call_parts.h"

namespace goondan::plugin {
namespace {

JsonArray::iterator find_message(JsonArray& messages, std::string_view id) {
  return std::ranges::find_if(messages, [id](const Json& message) {
    return message.is_object() && text_at(message.get_object(), "id") == id;
  });
}

// Does to our copy what the runtime has done. `kept` is the message as the runtime keeps it.
void apply(JsonArray& messages, const JsonObject& params, Json kept) {
  const std::string change = text_at(params, "change");
  if (change == "truncate") messages.clear();
  if (change == "append" && kept.is_object()) messages.push_back(std::move(kept));
  const auto target = find_message(messages, text_at(params, "targetId"));
  if (target == messages.end()) return;
  if (change == "replace" && kept.is_object()) *target = std::move(kept);
  if (change == "remove") messages.erase(target);
}

}  // namespace

LayerRun::LayerRun(JsonObject given, HostProxy& host, std::stop_token token)
    : context(std::move(given)), stop(std::move(token)), host_(host) {
  metadata = take_object("metadata");
}

JsonObject LayerRun::take_object(std::string_view key) {
  Json* const value = context.if_contains(key);
  JsonObject taken =
      value != nullptr && value->is_object() ? std::move(value->get_object()) : JsonObject();
  context.erase(key);
  return taken;
}

JsonArray LayerRun::take_array(std::string_view key) {
  Json* const value = context.if_contains(key);
  JsonArray taken =
      value != nullptr && value->is_array() ? std::move(value->get_array()) : JsonArray();
  context.erase(key);
  return taken;
}

Result<Json> LayerRun::next(JsonObject params) {
  if (ran_) {
    return Error{.code = ErrorCode::MiddlewareNextTwice,
                 .message = "next() was called twice",
                 .suggestion = "Call next() once and keep its result."};
  }
  ran_ = true;
  params["metadata"] = metadata;
  Json answer = GDN_TRY(host_.request("next", Json(std::move(params))));
  JsonObject* const fields = answer.if_object();
  if (fields == nullptr) return answer;
  if (Json* const changed = fields->if_contains("metadata"); changed && changed->is_object()) {
    metadata = std::move(changed->get_object());
  }
  Json* const outcome = fields->if_contains("outcome");
  return outcome == nullptr ? Json(nullptr) : std::move(*outcome);
}

Result<Json> LayerRun::runtime(std::string_view method, const Json& params) {
  return host_.request("runtime", JsonObject{{"method", method}, {"params", params}});
}

Result<void> LayerRun::change(JsonArray& messages, JsonObject params) {
  const Json request(std::move(params));
  Json kept = GDN_TRY(host_.request("conversation", request));
  apply(messages, request.get_object(), std::move(kept));
  return {};
}

Json LayerRun::reply(Json outcome) {
  const char* const how = ran_ ? "ran" : outcome.is_null() ? "none" : "instead";
  return JsonObject{
      {"outcome", std::move(outcome)}, {"next", how}, {"metadata", std::move(metadata)}};
}

}  // namespace goondan::plugin
