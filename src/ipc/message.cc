#include "ipc/message.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/json_fields.h"

namespace goondan::ipc {
namespace {

constexpr std::array<std::string_view, 5> kTypes{"delegate", "delegate_result", "event", "shutdown",
                                                 "shutdown_ack"};

constexpr std::size_t kKeptBuffer = std::size_t{64} << 10;

Error bad(std::string what) {
  return {.code = ErrorCode::Ipc, .message = "a message between processes " + std::move(what)};
}

std::size_t announced(std::string_view prefix) {
  std::size_t size = 0;
  for (std::size_t i = kMessagePrefixBytes; i-- > 0;) {
    size = (size << 8) | static_cast<unsigned char>(prefix[i]);
  }
  return size;
}

// Whether `value` has more than `levels` lists and objects inside each other.
bool deeper_than(const Json& value, std::size_t levels) {
  if (!value.is_structured()) return false;
  if (levels == 0) return true;
  if (value.is_array()) {
    return std::ranges::any_of(
        value.get_array(), [levels](const Json& item) { return deeper_than(item, levels - 1); });
  }
  return std::ranges::any_of(value.get_object(), [levels](const auto& member) {
    return deeper_than(member.value(), levels - 1);
  });
}

// Written piece by piece: a payload may be large, and is not copied.
void append_message(std::string& out, const Message& message) {
  out += "{\"type\":";
  append_quoted(out, message_type_name(message.type));
  out += ",\"from\":";
  append_quoted(out, message.from);
  out += ",\"to\":";
  append_quoted(out, message.to);
  out += ",\"payload\":";
  append_text(out, message.payload);
  if (!message.correlation_id.empty()) {
    out += ",\"correlationId\":";
    append_quoted(out, message.correlation_id);
  }
  out += '}';
}

}  // namespace

std::string_view message_type_name(MessageType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

Result<std::string> encode_message(const Message& message) {
  if (deeper_than(message.payload, kMaxMessageDepth - 1)) {
    return Error{.code = ErrorCode::Limit,
                 .message = "a message to '" + message.to + "' is nested deeper than " +
                            std::to_string(kMaxMessageDepth) + " levels",
                 .suggestion = "Send the data as text, or less of it."};
  }
  std::string bytes(kMessagePrefixBytes, '\0');
  append_message(bytes, message);
  const std::size_t size = bytes.size() - kMessagePrefixBytes;
  if (size > kMaxMessageBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "a message to '" + message.to + "' has " + std::to_string(size) +
                            " bytes; the limit is " + std::to_string(kMaxMessageBytes),
                 .suggestion = "Write the data to a file and send its path."};
  }
  for (std::size_t i = 0; i < kMessagePrefixBytes; ++i) {
    bytes[i] = static_cast<char>((size >> (8 * i)) & 0xFF);
  }
  return bytes;
}

Result<Message> decode_message(std::string_view text) {
  const Result<Json> parsed =
      parse_json(text, {.max_bytes = kMaxMessageBytes, .max_depth = kMaxMessageDepth});
  if (!parsed.ok()) return bad("is not JSON: " + parsed.error().message);
  if (!parsed->is_object()) return bad("is not an object");
  const JsonObject& object = parsed->get_object();
  for (const std::string_view key : {"type", "from", "to"}) {
    const Json* field = object.if_contains(key);
    if (field == nullptr || !field->is_string())
      return bad("has no text '" + std::string(key) + "'");
  }
  const Json* correlation = object.if_contains("correlationId");
  if (correlation != nullptr && !correlation->is_string()) {
    return bad("has a 'correlationId' that is not text");
  }
  const std::string type = text_field(object, "type");
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i] != type) continue;
    return Message{.type = static_cast<MessageType>(i),
                   .from = text_field(object, "from"),
                   .to = text_field(object, "to"),
                   .payload = any_field(object, "payload"),
                   .correlation_id = text_field(object, "correlationId")};
  }
  return bad("has the unknown type '" + type.substr(0, 40) + "'");
}

std::string_view MessageDecoder::rest() const {
  return std::string_view(buffer_).substr(begin_);
}

void MessageDecoder::feed(std::string_view bytes) {
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
    // One large message does not keep its memory for the life of the connection.
    if (buffer_.capacity() > kKeptBuffer) buffer_.shrink_to_fit();
  } else if (begin_ > kMaxMessageBytes) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  buffer_.append(bytes);
}

Result<std::optional<Message>> MessageDecoder::next() {
  const std::string_view pending = rest();
  if (pending.size() < kMessagePrefixBytes) return std::optional<Message>();
  const std::size_t size = announced(pending);
  if (size > kMaxMessageBytes) {
    return bad("announces " + std::to_string(size) + " bytes; the limit is " +
               std::to_string(kMaxMessageBytes));
  }
  if (pending.size() < kMessagePrefixBytes + size) return std::optional<Message>();
  Message message = GDN_TRY(decode_message(pending.substr(kMessagePrefixBytes, size)));
  begin_ += kMessagePrefixBytes + size;
  return std::optional<Message>(std::move(message));
}

}  // namespace goondan::ipc
