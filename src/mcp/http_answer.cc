#include "mcp/http_answer.h"

#include <algorithm>

#include "base/json_fields.h"
#include "mcp/json_rpc.h"

namespace goondan::mcp {
namespace {

constexpr std::string_view kEvents = "text/event-stream";
constexpr std::string_view kDocument = "application/json";
constexpr std::size_t kShownCodePoints = 200;

Error no_message(std::string_view text, std::string_view why) {
  return {.code = ErrorCode::Mcp,
          .message = "the answer is no JSON-RPC message (" + std::string(why) + "): '" +
                     clean_text(text, kShownCodePoints) + "'",
          .suggestion = "Check that the URL is that of an MCP server."};
}

bool is_response(const JsonObject& message) {
  return !message.contains("method") && (message.contains("result") || message.contains("error"));
}

}  // namespace

HttpAnswer::HttpAnswer(Json id, OnMessage on_message)
    : id_(std::move(id)), on_message_(std::move(on_message)), sse_(kMaxMessageBytes) {}

void HttpAnswer::start() {
  status_ = 0;
  headers_.clear();
  text_.clear();
  id_before_ = last_id();
  sse_ = net::SseReader(kMaxMessageBytes);
}

void HttpAnswer::begin(int status, const std::vector<net::Header>& headers) {
  status_ = status;
  headers_ = headers;
  if (on_begin) on_begin();
}

std::string HttpAnswer::content_type() const {
  const net::Header* header = net::find_header(headers_, "content-type");
  if (header == nullptr) return {};
  const std::string_view value = header->value;
  return net::to_lower(net::trimmed(value.substr(0, value.find(';'))));
}

bool HttpAnswer::is_stream() const {
  return ok() && content_type() == kEvents;
}

Result<void> HttpAnswer::add(std::string_view bytes) {
  if (satisfied && ok()) return {};
  if (is_stream()) return add_events(bytes);
  const std::size_t limit = ok() ? kMaxMessageBytes : kMaxRefusalBytes;
  const std::size_t room = limit - text_.size();
  if (ok() && bytes.size() > room) {
    return Error{.code = ErrorCode::Limit,
                 .message = "the answer has more than " + std::to_string(limit) + " bytes"};
  }
  text_ += bytes.substr(0, room);
  return {};
}

Result<void> HttpAnswer::add_events(std::string_view bytes) {
  while (!satisfied) {
    const std::optional<net::SseEvent> event = GDN_TRY(sse_.next(bytes));
    if (sse_.retry()) retry_ = sse_.retry();
    if (!event) return {};
    ++events_;
    // Without data: only there to give an id. Other types are nothing that the protocol has.
    if (event->data.empty() || event->type != "message") continue;
    Result<Json> message = parse_json(event->data, {.max_bytes = kMaxMessageBytes});
    if (!message.ok()) return no_message(event->data, message.error().message);
    GDN_TRY(take(std::move(*message)));
  }
  return {};
}

Result<void> HttpAnswer::finish() {
  if (!ok()) {
    take_refusal();
    return {};
  }
  if (satisfied || is_stream() || text_.empty()) return {};
  const std::string type = content_type();
  if (!type.empty() && type != kDocument) return no_message(text_, "it is " + type);
  Result<Json> message = parse_json(text_, {.max_bytes = kMaxMessageBytes});
  if (!message.ok()) return no_message(text_, message.error().message);
  return take(std::move(*message));
}

// Servers before 2025-06-18 may send several messages as one array.
Result<void> HttpAnswer::take(Json message) {
  if (!message.is_array()) return take_one(std::move(message));
  for (Json& one : message.as_array()) {
    GDN_TRY(take_one(std::move(one)));
  }
  return {};
}

Result<void> HttpAnswer::take_one(Json message) {
  const JsonObject* object = message.if_object();
  if (object == nullptr || (!object->contains("method") && !is_response(*object))) {
    return no_message(to_text(message), "neither a method nor a result");
  }
  const bool ours = !id_.is_null() && is_response(*object) && any_field(*object, "id") == id_;
  if (ours) {
    response_ = std::move(message);
    satisfied = true;
  } else if (on_message_) {
    on_message_(message);
  }
  return {};
}

// The error of a refused request has its id, or none if the server could not read it.
void HttpAnswer::take_refusal() {
  Result<Json> message = parse_json(text_);
  if (!message.ok() || !message->is_object()) return;
  const JsonObject& object = message->as_object();
  const Json id = any_field(object, "id");
  const bool fits = object_field(object, "error") != nullptr && (id == id_ || id.is_null());
  if (fits && !object.contains("method")) response_ = std::move(*message);
}

}  // namespace goondan::mcp
