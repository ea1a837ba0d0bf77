#include "host/native/extension_frames.h"

#include <charconv>

#include <goondan/json.h>

#include "host/peer/peer_frames.h"

namespace goondan {
namespace {

using peer::end_frame;
using peer::kPrefixBytes;

std::string begin_frame(std::string_view head, std::size_t room = 0) {
  constexpr std::size_t kUsualBytes = 128;
  std::string frame;
  frame.reserve(kUsualBytes + room);
  frame.append(kPrefixBytes, '\0');
  frame += head;
  return frame;
}

std::string with_message(std::string frame, std::optional<std::uint64_t> call,
                         std::string_view method, std::string_view params_json) {
  frame += R"("call":)";
  frame += call ? std::to_string(*call) : "null";
  frame += R"(,"method":)";
  append_quoted(frame, method);
  frame += R"(,"params":)";
  frame += params_json.empty() ? "null" : params_json;
  return end_frame(std::move(frame));
}

// Whether `text` begins with `head`, which is then taken off.
bool take(std::string_view& text, std::string_view head) {
  if (!text.starts_with(head)) return false;
  text.remove_prefix(head.size());
  return true;
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<RuntimeMessage> read_call(std::string_view rest, std::string_view whole) {
  const auto id = take_number(rest);
  if (!id || !take(rest, R"(,"method":")")) return {};
  const std::size_t end = rest.find('"');
  if (end == std::string_view::npos) return {};
  return RuntimeMessage{
      .type = RuntimeMessage::Type::Call, .id = *id, .method = rest.substr(0, end), .json = whole};
}

std::optional<RuntimeMessage> read_answer(std::string_view rest) {
  const auto id = take_number(rest);
  if (!id || !rest.ends_with('}')) return {};
  rest.remove_suffix(1);
  RuntimeMessage message{.type = RuntimeMessage::Type::Answer, .id = *id};
  if (take(rest, R"(,"error":)")) message.status = GDN_REPLY_ERROR;
  if (message.status == GDN_REPLY_OK && !take(rest, R"(,"ok":)")) return {};
  message.json = rest;
  return message;
}

std::optional<RuntimeMessage> read(std::string_view text) {
  std::string_view rest = text;
  if (take(rest, R"({"type":"call","id":)")) return read_call(rest, text);
  if (take(rest, R"({"type":"answer","id":)")) return read_answer(rest);
  if (!take(rest, R"({"type":"cancel","id":)")) return {};
  const auto id = take_number(rest);
  if (!id) return {};
  return RuntimeMessage{.type = RuntimeMessage::Type::Cancel, .id = *id};
}

}  // namespace

std::string hello_frame() {
  return end_frame(begin_frame(R"({"type":"hello","runtime":"native","version":)" +
                               std::to_string(peer::kProtocolVersion)));
}

std::string reply_frame(std::uint64_t call, const RawReply& reply) {
  std::string frame = begin_frame(R"({"type":"reply","id":)", reply.json.size());
  frame += std::to_string(call);
  frame += reply.status == GDN_REPLY_OK ? R"(,"ok":)" : R"(,"error":)";
  frame += reply.json.empty() ? "null" : reply.json;
  return end_frame(std::move(frame));
}

std::string request_frame(std::uint64_t request, std::optional<std::uint64_t> call,
                          std::string_view method, std::string_view params_json) {
  std::string frame = begin_frame(R"({"type":"request","id":)", params_json.size());
  frame += std::to_string(request) + ",";
  return with_message(std::move(frame), call, method, params_json);
}

std::string notify_frame(std::optional<std::uint64_t> call, std::string_view method,
                         std::string_view params_json) {
  return with_message(begin_frame(R"({"type":"notify",)", params_json.size()), call, method,
                      params_json);
}

Result<RuntimeMessage> read_runtime_message(std::string_view text) {
  if (const std::optional<RuntimeMessage> message = read(text)) return *message;
  return Error{.code = ErrorCode::Ipc, .message = "the runtime sent what is no message"};
}

}  // namespace goondan
