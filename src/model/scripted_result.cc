#include "model/scripted_result.h"

#include "base/json_fields.h"

namespace goondan::scripted {

std::string read_text_of(const Message& message) {
  return message.role() == Role::Tool ? tool_message_text(message) : message.text();
}

const JsonObject* note_of(const Message& message, std::string_view status) {
  const JsonObject& data = object_or_empty(message.data);
  const std::string told = text_field(data, "status");
  const JsonObject* output = object_field(data, "output");
  if (output == nullptr || (!told.empty() && told != status)) return nullptr;
  return text_field(*output, "status") == status ? output : nullptr;
}

const JsonObject* pending_of(const Message& message) {
  const JsonObject* note = note_of(message, "pending");
  return note != nullptr && !text_field(*note, "handle").empty() ? note : nullptr;
}

CallStatus status_of(const Message& message) {
  if (tool_message_is_error(message)) return CallStatus::Error;
  return pending_of(message) != nullptr ? CallStatus::Pending : CallStatus::Ok;
}

}  // namespace goondan::scripted
