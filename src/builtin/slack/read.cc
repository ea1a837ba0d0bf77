#include "builtin/arguments.h"
#include "builtin/messaging/fields.h"
#include "builtin/slack/api.h"
#include "builtin/slack/arguments.h"
#include "builtin/slack/handlers.h"

namespace goondan::builtin::slack {
namespace {

using messaging::copy_trimmed;
using messaging::trimmed_argument;

constexpr std::int64_t kDefaultLimit = 20;
constexpr std::int64_t kMostLimit = 1000;

// What is asked for: one message, a thread, or the newest of a channel.
struct Question {
  std::string channel;
  std::optional<std::string_view> message;
  std::optional<std::string_view> thread;
  JsonObject body = {};

  [[nodiscard]] std::string_view method() const {
    return thread ? "conversations.replies" : "conversations.history";
  }
};

Result<Question> read_question(const JsonObject& input) {
  std::string channel = GDN_TRY(read_channel(input));
  Question question{.channel = std::move(channel),
                    .message = trimmed_argument(input, {"messageTs", "ts", "timestamp"}),
                    .thread = trimmed_argument(input, {"threadTs"})};
  const std::int64_t limit = GDN_TRY(messaging::read_number(
      input, "limit", {.least = 1, .most = kMostLimit}, question.message ? 1 : kDefaultLimit));
  JsonObject& body = question.body;
  body["channel"] = question.channel;
  if (question.thread) body["ts"] = *question.thread;
  if (question.message) {
    body["latest"] = *question.message;
    body["inclusive"] = true;
  }
  copy_trimmed(input, "latest", body, "latest");
  copy_trimmed(input, "oldest", body, "oldest");
  messaging::copy_flag(input, "inclusive", body, "inclusive");
  body["limit"] = limit;
  copy_trimmed(input, "cursor", body, "cursor");
  return question;
}

JsonArray messages_of(Json& answer) {
  JsonArray messages;
  Json* given = answer.get_object().if_contains("messages");
  if (given == nullptr || !given->is_array()) return messages;
  for (Json& message : given->get_array()) {
    if (message.is_object()) messages.push_back(std::move(message));
  }
  return messages;
}

Json find_message(const JsonArray& messages, std::optional<std::string_view> ts) {
  if (!ts) return nullptr;
  for (const Json& message : messages) {
    if (messaging::string_or(message, "ts", "") == *ts) return message;
  }
  return nullptr;
}

Json next_cursor(const Json& answer) {
  const Json* metadata = answer.get_object().if_contains("response_metadata");
  const std::string cursor =
      metadata == nullptr ? "" : messaging::string_or(*metadata, "next_cursor", "");
  return cursor.empty() ? Json(nullptr) : Json(cursor);
}

Json text_or_null(std::optional<std::string_view> text) {
  return text ? Json(*text) : Json(nullptr);
}

}  // namespace

Result<Json> read(const Services& services, ToolContext& context, const JsonObject& input) {
  messaging::Token token = GDN_TRY(messaging::read_token(kSlack, services, context, input));
  const Question question = GDN_TRY(read_question(input));
  const messaging::Access access =
      GDN_TRY(messaging::read_access(kSlack, services, std::move(token), input));
  const messaging::Caller caller{
      .service = kSlack, .services = services, .context = context, .access = access};
  Json answer = GDN_TRY(call(caller, question.method(), question.body));
  JsonArray messages = messages_of(answer);
  const bool has_more = flag_argument(answer.get_object(), "has_more").value_or(false);
  Json found = find_message(messages, question.message);
  const std::size_t count = messages.size();
  return JsonObject{{"ok", true},
                    {"channelId", question.channel},
                    {"method", question.method()},
                    {"messageTs", text_or_null(question.message)},
                    {"threadTs", text_or_null(question.thread)},
                    {"count", count},
                    {"found", std::move(found)},
                    {"messages", std::move(messages)},
                    {"hasMore", has_more},
                    {"nextCursor", next_cursor(answer)}};
}

}  // namespace goondan::builtin::slack
