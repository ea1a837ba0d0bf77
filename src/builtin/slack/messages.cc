// Each export looks at the token first, then at its own arguments, then at where to send to.
#include "builtin/arguments.h"
#include "builtin/messaging/fields.h"
#include "builtin/slack/api.h"
#include "builtin/slack/arguments.h"
#include "builtin/slack/handlers.h"

namespace goondan::builtin::slack {
namespace {

using messaging::Access;
using messaging::Caller;
using messaging::Token;

// Reads where to send to, and sends.
Result<Json> deliver(const Services& services, ToolContext& context, const JsonObject& input,
                     Token token, const std::pair<std::string_view, JsonObject>& request) {
  const Access access = GDN_TRY(messaging::read_access(kSlack, services, std::move(token), input));
  const Caller caller{
      .service = kSlack, .services = services, .context = context, .access = access};
  return call(caller, request.first, request.second);
}

const Json& member(const Json& answer, std::string_view key) {
  static const Json nothing;
  const Json* value = answer.get_object().if_contains(key);
  return value == nullptr ? nothing : *value;
}

// What went before the failure, which a second call would do again.
Error after_others(Error error, const std::vector<std::string>& added) {
  if (added.empty()) return error;
  std::string names;
  for (const std::string& name : added)
    names.append(names.empty() ? "" : ", ").append(name);
  if (!error.suggestion.empty()) error.suggestion += ' ';
  error.suggestion += "Added before that: " + names + ".";
  return error;
}

}  // namespace

Result<Json> send(const Services& services, ToolContext& context, const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kSlack, services, context, input));
  const std::string channel = GDN_TRY(read_channel(input));
  const std::string text = GDN_TRY(messaging::needed_text(input, "text"));
  JsonObject body{{"channel", channel}, {"text", text}};
  if (const auto thread = text_argument(input, "threadTs")) body["thread_ts"] = *thread;
  messaging::copy_flag(input, "mrkdwn", body, "mrkdwn");
  messaging::copy_flag(input, "unfurlLinks", body, "unfurl_links");
  messaging::copy_flag(input, "unfurlMedia", body, "unfurl_media");
  messaging::copy_flag(input, "replyBroadcast", body, "reply_broadcast");
  const Json sent = GDN_TRY(
      deliver(services, context, input, std::move(token), {"chat.postMessage", std::move(body)}));
  return JsonObject{{"ok", true},
                    {"channelId", messaging::string_or(sent, "channel", channel)},
                    {"messageTs", messaging::string_or_null(sent, "ts")},
                    {"text", messaging::string_or(member(sent, "message"), "text", text)}};
}

Result<Json> edit(const Services& services, ToolContext& context, const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kSlack, services, context, input));
  const std::string channel = GDN_TRY(read_channel(input));
  const std::string message = GDN_TRY(read_message_ts(input));
  const std::string text = GDN_TRY(messaging::needed_text(input, "text"));
  JsonObject body{{"channel", channel}, {"ts", message}, {"text", text}};
  messaging::copy_flag(input, "mrkdwn", body, "mrkdwn");
  const Json edited = GDN_TRY(
      deliver(services, context, input, std::move(token), {"chat.update", std::move(body)}));
  return JsonObject{{"ok", true},
                    {"channelId", messaging::string_or(edited, "channel", channel)},
                    {"messageTs", messaging::string_or(edited, "ts", message)},
                    {"edited", true}};
}

Result<Json> remove(const Services& services, ToolContext& context, const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kSlack, services, context, input));
  const std::string channel = GDN_TRY(read_channel(input));
  const std::string message = GDN_TRY(read_message_ts(input));
  JsonObject body{{"channel", channel}, {"ts", message}};
  const Json deleted = GDN_TRY(
      deliver(services, context, input, std::move(token), {"chat.delete", std::move(body)}));
  return JsonObject{{"ok", true},
                    {"channelId", messaging::string_or(deleted, "channel", channel)},
                    {"messageTs", messaging::string_or(deleted, "ts", message)},
                    {"deleted", true}};
}

Result<Json> react(const Services& services, ToolContext& context, const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kSlack, services, context, input));
  const std::string channel = GDN_TRY(read_channel(input));
  const std::string message = GDN_TRY(read_message_ts(input));
  const std::vector<std::string> names = GDN_TRY(read_reactions(input));
  const Access access = GDN_TRY(messaging::read_access(kSlack, services, std::move(token), input));
  const Caller caller{
      .service = kSlack, .services = services, .context = context, .access = access};
  std::vector<std::string> added;
  for (const std::string& name : names) {
    const Result<Json> answer = call(
        caller, "reactions.add", {{"channel", channel}, {"timestamp", message}, {"name", name}});
    if (!answer.ok()) return after_others(answer.error(), added);
    added.push_back(name);
  }
  return JsonObject{{"ok", true},
                    {"channelId", channel},
                    {"messageTs", message},
                    {"emojis", JsonArray(names.begin(), names.end())},
                    {"reactionCount", names.size()}};
}

}  // namespace goondan::builtin::slack
