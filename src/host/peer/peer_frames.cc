#include "host/peer/peer_frames.h"

#include <charconv>

#include "base/json_fields.h"

namespace goondan::peer {
namespace {

// A buffer that grew for one large message is given back after it.
constexpr std::size_t kKeptBuffer = std::size_t{256} << 10;
constexpr std::size_t kUsualBytes = 512;

std::string begin_frame(std::string_view head, std::uint64_t id) {
  std::string frame;
  frame.reserve(kUsualBytes);
  frame.append(kPrefixBytes, '\0');
  frame += head;
  frame += std::to_string(id);
  return frame;
}

bool too_large(const std::string& frame) {
  return frame.size() - kPrefixBytes > kMaxFrameBytes;
}

Error bad(std::string what) {
  return {.code = ErrorCode::ToolBadReply, .message = std::move(what)};
}

std::optional<std::uint64_t> id_field(const JsonObject& object, std::string_view key) {
  const std::optional<std::int64_t> number = integer_field(object, key);
  if (!number || *number < 0) return {};
  return static_cast<std::uint64_t>(*number);
}

// `head` followed by a number.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view head) {
  if (!text.starts_with(head)) return {};
  text.remove_prefix(head.size());
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc{}) return {};
  return number;
}

// A message whose text is unreadable, but not whose it is.
Result<Incoming> salvage(std::string_view text, const Error& problem) {
  const Error error = bad("what was sent cannot be read: " + problem.message);
  Incoming incoming{.error = error, .bytes = text.size()};
  if (const auto reply = number_after(text, R"({"type":"reply","id":)")) {
    incoming.type = Incoming::Type::Reply;
    incoming.id = *reply;
    return incoming;
  }
  if (const auto request = number_after(text, R"({"type":"request","id":)")) {
    incoming.type = Incoming::Type::Request;
    incoming.id = *request;
    return incoming;
  }
  return error;
}

Json take(JsonObject& object, std::string_view key) {
  Json* const found = object.if_contains(key);
  return found == nullptr ? Json(nullptr) : std::move(*found);
}

Result<Incoming> read_reply(JsonObject& object, Incoming incoming) {
  const auto id = id_field(object, "id");
  if (!id) return bad("a reply without the id of its call");
  incoming.type = Incoming::Type::Reply;
  incoming.id = *id;
  if (object.contains("error")) incoming.error = error_from(object.at("error"));
  incoming.value = take(object, "ok");
  return incoming;
}

Result<Incoming> read_other(JsonObject& object, Incoming incoming) {
  incoming.call = id_field(object, "call");
  incoming.method = text_field(object, "method");
  if (incoming.method.empty()) return bad("a message without a method");
  incoming.value = take(object, "params");
  if (incoming.type == Incoming::Type::Notify) return incoming;
  const auto id = id_field(object, "id");
  if (!id) return bad("a request without an id");
  incoming.id = *id;
  return incoming;
}

}  // namespace

std::string end_frame(std::string frame) {
  frame += '}';
  const std::size_t size = frame.size() - kPrefixBytes;
  for (std::size_t i = 0; i < kPrefixBytes; ++i)
    frame[i] = static_cast<char>((size >> (8 * i)) & 0xFF);
  return frame;
}

Result<std::string> call_frame(std::uint64_t id, std::string_view method, const Json& params) {
  std::string frame = begin_frame(R"({"type":"call","id":)", id);
  frame += R"(,"method":)";
  append_quoted(frame, method);
  frame += R"(,"params":)";
  append_text(frame, params);
  frame = end_frame(std::move(frame));
  if (!too_large(frame)) return frame;
  return Error{.code = ErrorCode::Limit,
               .message = "the call takes " + std::to_string(frame.size()) +
                          " bytes; the limit is " + std::to_string(kMaxFrameBytes),
               .suggestion = "Pass large data as a file in the workdir."};
}

std::string cancel_frame(std::uint64_t id) {
  return end_frame(begin_frame(R"({"type":"cancel","id":)", id));
}

std::string answer_frame(std::uint64_t request, const Result<Json>& answer) {
  std::string frame = begin_frame(R"({"type":"answer","id":)", request);
  frame += answer.ok() ? R"(,"ok":)" : R"(,"error":)";
  append_text(frame, answer.ok() ? *answer : error_json(answer.error()));
  frame = end_frame(std::move(frame));
  if (!too_large(frame)) return frame;
  return answer_frame(request, Error{.code = ErrorCode::Limit,
                                     .message = "the answer is larger than a message may be"});
}

Incoming dropped_note(std::size_t count) {
  return {.method = "log",
          .value = JsonObject{{"level", "warn"},
                              {"text", std::to_string(count) + " messages were dropped: too many "
                                                               "came at once"}}};
}

Result<Incoming> parse_incoming(std::string_view text) {
  Result<Json> parsed =
      parse_json(text, {.max_bytes = kMaxFrameBytes, .max_depth = kMaxFrameDepth});
  if (!parsed.ok()) return salvage(text, parsed.error());
  JsonObject* const object = parsed->if_object();
  if (object == nullptr) return bad("a message that is no object");
  const std::string type = text_field(*object, "type");
  Incoming incoming{.bytes = text.size()};
  if (type == "reply") return read_reply(*object, std::move(incoming));
  if (type == "hello") {
    incoming.type = Incoming::Type::Hello;
    incoming.value = std::move(*parsed);
    return incoming;
  }
  if (type == "request") incoming.type = Incoming::Type::Request;
  if (type == "request" || type == "notify") return read_other(*object, std::move(incoming));
  return bad("a message of the unknown type '" + type.substr(0, 32) + "'");
}

void FrameDecoder::feed(std::string_view bytes) {
  if (begin_ > 0) {
    buffer_.erase(0, std::exchange(begin_, 0));
    if (buffer_.empty() && buffer_.capacity() > kKeptBuffer) buffer_.shrink_to_fit();
  }
  buffer_ += bytes;
}

Result<std::optional<std::string_view>> FrameDecoder::next() {
  const std::string_view pending = std::string_view(buffer_).substr(begin_);
  if (pending.size() < kPrefixBytes) return std::optional<std::string_view>();
  std::size_t size = 0;
  for (std::size_t i = 0; i < kPrefixBytes; ++i)
    size |= std::size_t{static_cast<unsigned char>(pending[i])} << (8 * i);
  if (size > kMaxFrameBytes) {
    return bad("a message of " + std::to_string(size) + " bytes; the limit is " +
               std::to_string(kMaxFrameBytes));
  }
  if (pending.size() - kPrefixBytes < size) return std::optional<std::string_view>();
  begin_ += kPrefixBytes + size;
  return std::optional(pending.substr(kPrefixBytes, size));
}

}  // namespace goondan::peer
