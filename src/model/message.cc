#include "model/message.h"

#include "base/ids.h"
#include "base/json_fields.h"

namespace goondan {
namespace {

constexpr std::array<std::pair<std::string_view, Role>, 4> kRoles{{{"system", Role::System},
                                                                   {"user", Role::User},
                                                                   {"assistant", Role::Assistant},
                                                                   {"tool", Role::Tool}}};

std::optional<Role> find_role(std::string_view name) {
  for (const auto& [text, role] : kRoles) {
    if (text == name) return role;
  }
  return {};
}

Error no_message(std::string problem) {
  return {.code = ErrorCode::JsonParse, .message = "not a message: " + std::move(problem)};
}

Result<void> check_content(const JsonObject& data) {
  const Json* content = data.if_contains("content");
  if (content == nullptr) return no_message("data.content is missing");
  if (content->is_string()) return {};
  if (!content->is_array()) return no_message("data.content is neither text nor a list");
  for (const Json& part : content->get_array()) {
    if (!part.is_object() || text_field(part.get_object(), "type").empty()) {
      return no_message("a part of data.content has no type");
    }
  }
  return {};
}

Result<void> check_data(const Json& data) {
  if (!data.is_object()) return no_message("data is missing");
  const std::string name = text_field(data.get_object(), "role");
  const std::optional<Role> role = find_role(name);
  if (!role) return no_message("data.role is '" + name + "'");
  if (*role != Role::Tool) return check_content(data.get_object());
  if (text_field(data.get_object(), "toolCallId").empty()) {
    return no_message("data.toolCallId is missing");
  }
  return {};
}

}  // namespace

Role Message::role() const {
  return find_role(text_field(object_or_empty(data), "role")).value_or(Role::User);
}

std::string Message::text() const {
  const JsonObject& object = object_or_empty(data);
  const JsonArray* parts = array_field(object, "content");
  if (parts == nullptr) return text_field(object, "content");
  std::string text;
  for (const Json& part : *parts) {
    if (text_field(object_or_empty(part), "type") != "text") continue;
    text += text_field(object_or_empty(part), "text");
  }
  return text;
}

std::string Message::tool_call_id() const {
  return text_field(object_or_empty(data), "toolCallId");
}

Json Message::to_json() const {
  return {{"id", id},
          {"data", data},
          {"metadata", metadata},
          {"createdAt", created_at},
          {"source", source}};
}

Result<Message> Message::from_json(const Json& value) {
  if (!value.is_object()) return no_message("it is no object");
  const JsonObject& object = value.get_object();
  Message message{.id = text_field(object, "id"),
                  .data = any_field(object, "data"),
                  .created_at = text_field(object, "createdAt"),
                  .source = any_field(object, "source")};
  if (message.id.empty()) return no_message("id is missing");
  GDN_TRY(check_data(message.data));
  if (const JsonObject* metadata = object_field(object, "metadata")) message.metadata = *metadata;
  return message;
}

Message Message::user(std::string text, JsonObject metadata) {
  return {.id = make_id("msg_"),
          .data = {{"role", "user"}, {"content", std::move(text)}},
          .metadata = std::move(metadata),
          .created_at = iso_now(),
          .source = {{"type", "user"}}};
}

}  // namespace goondan
