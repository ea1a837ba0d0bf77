// Each export looks at the token first, then at its own arguments, then at where to send to.
#include "builtin/arguments.h"
#include "builtin/messaging/fields.h"
#include "builtin/telegram/api.h"
#include "builtin/telegram/arguments.h"
#include "builtin/telegram/handlers.h"

namespace goondan::builtin::telegram {
namespace {

using messaging::Access;
using messaging::Caller;
using messaging::Token;

Result<void> add_parse_mode(const JsonObject& input, JsonObject& body) {
  const std::string_view mode = GDN_TRY(read_parse_mode(input));
  if (!mode.empty()) body["parse_mode"] = mode;
  return {};
}

// Reads where to send to, and sends.
Result<Json> deliver(const Services& services, ToolContext& context, const JsonObject& input,
                     Token token, const std::pair<std::string_view, JsonObject>& request) {
  const Access access =
      GDN_TRY(messaging::read_access(kTelegram, services, std::move(token), input));
  const Caller caller{
      .service = kTelegram, .services = services, .context = context, .access = access};
  return call(caller, request.first, request.second);
}

Json trimmed_or_null(const Json& text) {
  return text.is_string() ? Json(messaging::trimmed(text.get_string())) : Json(nullptr);
}

}  // namespace

Result<Json> send(const Services& services, ToolContext& context, const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kTelegram, services, context, input));
  const std::string chat = GDN_TRY(read_chat_id(input));
  const std::string text = GDN_TRY(messaging::needed_text(input, "text"));
  JsonObject body{{"chat_id", chat}, {"text", text}};
  GDN_TRY(add_parse_mode(input, body));
  messaging::copy_flag(input, "disableNotification", body, "disable_notification");
  messaging::copy_flag(input, "disableWebPagePreview", body, "disable_web_page_preview");
  const auto reply_to = GDN_TRY(read_message_id(input, "replyToMessageId"));
  if (reply_to) body["reply_to_message_id"] = *reply_to;
  messaging::copy_flag(input, "allowSendingWithoutReply", body, "allow_sending_without_reply");
  const Json sent = GDN_TRY(
      deliver(services, context, input, std::move(token), {"sendMessage", std::move(body)}));
  return JsonObject{{"ok", true},
                    {"chatId", chat},
                    {"messageId", messaging::number_or_null(sent, "message_id")},
                    {"date", messaging::number_or_null(sent, "date")},
                    {"text", trimmed_or_null(messaging::string_or_null(sent, "text"))}};
}

Result<Json> edit(const Services& services, ToolContext& context, const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kTelegram, services, context, input));
  const std::string chat = GDN_TRY(read_chat_id(input));
  const std::int64_t message = GDN_TRY(needed_message_id(input, "messageId"));
  const std::string text = GDN_TRY(messaging::needed_text(input, "text"));
  JsonObject body{{"chat_id", chat}, {"message_id", message}, {"text", text}};
  GDN_TRY(add_parse_mode(input, body));
  messaging::copy_flag(input, "disableWebPagePreview", body, "disable_web_page_preview");
  const Json edited = GDN_TRY(
      deliver(services, context, input, std::move(token), {"editMessageText", std::move(body)}));
  const Json number = messaging::number_or_null(edited, "message_id");
  return JsonObject{{"ok", true},
                    {"chatId", chat},
                    {"messageId", number.is_null() ? Json(message) : number},
                    {"edited", true}};
}

Result<Json> remove(const Services& services, ToolContext& context, const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kTelegram, services, context, input));
  const std::string chat = GDN_TRY(read_chat_id(input));
  const std::int64_t message = GDN_TRY(needed_message_id(input, "messageId"));
  JsonObject body{{"chat_id", chat}, {"message_id", message}};
  GDN_TRY(deliver(services, context, input, std::move(token), {"deleteMessage", std::move(body)}));
  return JsonObject{{"ok", true}, {"chatId", chat}, {"messageId", message}, {"deleted", true}};
}

Result<Json> react(const Services& services, ToolContext& context, const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kTelegram, services, context, input));
  const std::string chat = GDN_TRY(read_chat_id(input));
  const std::int64_t message = GDN_TRY(needed_message_id(input, "messageId"));
  const bool clear = flag_argument(input, "clear").value_or(false);
  const std::vector<std::string> emojis =
      clear ? std::vector<std::string>() : messaging::read_emojis(input);
  if (!clear && emojis.empty()) {
    return Error{.code = ErrorCode::ToolInvalidArgs,
                 .message = "Provide 'emoji' or 'emojis', or set 'clear' to true."};
  }
  JsonArray reaction;
  for (const std::string& emoji : emojis)
    reaction.push_back(JsonObject{{"type", "emoji"}, {"emoji", emoji}});
  JsonObject body{{"chat_id", chat}, {"message_id", message}, {"reaction", std::move(reaction)}};
  messaging::copy_flag(input, "isBig", body, "is_big");
  GDN_TRY(
      deliver(services, context, input, std::move(token), {"setMessageReaction", std::move(body)}));
  return JsonObject{{"ok", true},
                    {"chatId", chat},
                    {"messageId", message},
                    {"cleared", clear},
                    {"emojis", JsonArray(emojis.begin(), emojis.end())},
                    {"reactionCount", emojis.size()}};
}

Result<Json> set_chat_action(const Services& services, ToolContext& context,
                             const JsonObject& input) {
  Token token = GDN_TRY(messaging::read_token(kTelegram, services, context, input));
  const std::string chat = GDN_TRY(read_chat_id(input));
  const std::string action = GDN_TRY(read_chat_action(input));
  JsonObject body{{"chat_id", chat}, {"action", action}};
  GDN_TRY(deliver(services, context, input, std::move(token), {"sendChatAction", std::move(body)}));
  return JsonObject{{"ok", true}, {"chatId", chat}, {"status", action}, {"action", action}};
}

}  // namespace goondan::builtin::telegram
