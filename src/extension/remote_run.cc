#include "extension/remote_run.h"

#include "base/json_fields.h"

namespace goondan {
namespace {

// The codes that say more than that a middleware failed.
bool speaks_for_itself(ErrorCode code) {
  switch (code) {
    case ErrorCode::ExtensionCrash:
    case ErrorCode::ToolTimeout:
    case ErrorCode::ToolCancelled:
    case ErrorCode::HostUnavailable:
    case ErrorCode::MiddlewareNextTwice:
    case ErrorCode::MiddlewareNextMissing:
      return true;
    default:
      return false;
  }
}

Error layer_error(const std::string& extension, Error error) {
  const ErrorCode code = speaks_for_itself(error.code) ? error.code : ErrorCode::Middleware;
  return {.code = code,
          .message = truncate_error_message(
              "middleware '" + extension + "' failed: " + error.message, kDefaultErrorMessageLimit),
          .suggestion = error.suggestion.empty()
                            ? "Look at the extension's log; what ran inside it is kept."
                            : truncate_error_message(error.suggestion, kDefaultErrorMessageLimit)};
}

Error next_missing(const std::string& extension) {
  return {.code = ErrorCode::MiddlewareNextMissing,
          .message = "middleware '" + extension + "' returned without calling next()",
          .suggestion = "Call next(), or return a result in its place."};
}

Result<Json> change_conversation(ConversationView* conversation, const JsonObject& params) {
  const std::string change = text_field(params, "change");
  if (conversation == nullptr) {
    return Error{.code = ErrorCode::Middleware,
                 .message = "the conversation cannot be changed from here",
                 .suggestion = "Change it in a turn or step middleware."};
  }
  const std::string target = text_field(params, "targetId");
  if (change == "remove") {
    GDN_TRY(conversation->remove(target));
    return Json(nullptr);
  }
  if (change == "truncate") {
    GDN_TRY(conversation->truncate());
    return Json(nullptr);
  }
  Message message = GDN_TRY(Message::from_json(any_field(params, "message")));
  if (change == "append") {
    GDN_TRY(conversation->append(std::move(message)));
    return conversation->messages().back().to_json();
  }
  if (change != "replace") {
    return Error{.code = ErrorCode::Middleware,
                 .message = "'" + change + "' is no change of a conversation",
                 .suggestion = "Use append, replace, remove or truncate."};
  }
  Json kept = message.to_json();
  GDN_TRY(conversation->replace(target, std::move(message)));
  return kept;
}

Error returned_no_result(const std::string& extension, const Json& returned) {
  return {.code = ErrorCode::Middleware,
          .message = "middleware '" + extension + "' returned a " +
                     (returned.is_array() ? "list" : "plain value") + ", not an object",
          .suggestion = "Return what next() gave, an object in its place, or nothing."};
}

Result<LayerReply> read_reply(const std::string& extension, const Json& reply) {
  const JsonObject& object = object_or_empty(reply);
  if (text_field(object, "next") == "none") return next_missing(extension);
  LayerReply read{.outcome = any_field(object, "outcome")};
  if (const JsonObject* metadata = object_field(object, "metadata")) read.metadata = *metadata;
  if (read.outcome.is_null() && text_field(object, "next") != "ran") return next_missing(extension);
  if (!read.outcome.is_null() && !read.outcome.is_object())
    return returned_no_result(extension, read.outcome);
  return read;
}

// The layer is done and lets the rest run: nothing that happens to its process then is its failure.
Result<LayerReply> pass_on(const LayerRun& run, const JsonObject& params) {
  const Json answer = GDN_TRY(run.next(params));
  LayerReply read;
  if (const JsonObject* metadata = object_field(object_or_empty(answer), "metadata"))
    read.metadata = *metadata;
  return read;
}

}  // namespace

Result<LayerReply> run_remote_layer(const RemoteParts& parts, LayerRun run) {
  PeerCall call{.method = "layer",
                .params = std::move(run.params),
                .deadline = run.own_time ? Clock::now() + *run.own_time : run.deadline,
                .stop = run.stop,
                .on_notify = parts.on_notify};
  call.on_request = [&](const std::string& method, const Json& params) -> Result<Json> {
    const JsonObject& object = object_or_empty(params);
    if (method == "conversation") return change_conversation(run.conversation, object);
    if (method == "runtime")
      return run.request(text_field(object, "method"), any_field(object, "params"));
    if (method != "next") return parts.on_request(method, params);
    Result<Json> outcome = run.next(object);
    if (run.own_time) call.deadline = Clock::now() + *run.own_time;
    return outcome;
  };
  Result<Json> reply = parts.peer->call(call);
  if (!reply.ok()) return layer_error(parts.site.name, std::move(reply).error());
  const JsonObject& object = object_or_empty(*reply);
  if (text_field(object, "next") != "pass") return read_reply(parts.site.name, *reply);
  Result<LayerReply> passed = pass_on(run, object);
  if (!passed.ok()) return layer_error(parts.site.name, std::move(passed).error());
  return passed;
}

}  // namespace goondan
