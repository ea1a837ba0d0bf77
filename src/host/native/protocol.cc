#include "host/native/protocol.h"

#include <cmath>
#include <cstring>

#include "base/utf8.h"
#include "host/native/plugin_json.h"
#include "host/native/plugin_library.h"

namespace goondan {
namespace {

Error garbage(std::string what) {
  return {.code = ErrorCode::ToolBadReply,
          .message = "the plugin worker sent " + std::move(what),
          .suggestion = "Something in the plugin writes to the worker's own file descriptors."};
}

bool is(const ipc::Frame& frame, Message message) {
  return frame.kind == static_cast<std::uint32_t>(message);
}

// Cuts between characters.
std::string bounded_text(std::string_view text) {
  std::size_t size = std::min(text.size(), kMaxLogBytes);
  while (size > 0 && size < text.size() && (text[size] & 0xC0) == 0x80)
    --size;
  return utf8::repaired(text.substr(0, size));
}

Result<Hello> read_hello(const JsonObject& object) {
  const Json* const version = object.if_contains("abiVersion");
  const Json* const exports = object.if_contains("exports");
  if (version == nullptr || exports == nullptr || !version->is_int64() || !exports->is_array()) {
    return garbage("an incomplete hello");
  }
  Hello hello{.abi_version = static_cast<std::uint32_t>(version->get_int64())};
  if (exports->get_array().size() > kMaxPluginExports) return garbage("too many exports");
  for (const Json& name : exports->get_array()) {
    if (!name.is_string()) return garbage("an export that is no text");
    hello.exports.emplace_back(name.get_string());
  }
  return hello;
}

}  // namespace

std::string hello_text(const Hello& hello) {
  JsonArray exports;
  for (const std::string& name : hello.exports)
    exports.emplace_back(name);
  return to_text(JsonObject{{"abiVersion", hello.abi_version}, {"exports", std::move(exports)}});
}

std::string hello_text(const Error& load_error) {
  return to_text(JsonObject{{"error", error_to_json(load_error)}});
}

Result<Hello> parse_hello(const ipc::Frame& frame) {
  if (!is(frame, Message::Hello)) return garbage("something else than a hello");
  const Result<Json> json = parse_json(frame.parts[0]);
  if (!json.ok() || !json->is_object()) return garbage("a hello that is no JSON object");
  const JsonObject& object = json->get_object();
  if (const Json* const error = object.if_contains("error")) {
    return error_from_json(*error).value_or(garbage("an incomplete load error"));
  }
  return read_hello(object);
}

std::string status_part(int status) {
  return std::string(1, status == GDN_REPLY_OK ? '0' : '1');
}

Result<RawReply> parse_raw_reply(const ipc::Frame& frame) {
  if (frame.parts[0] != "0" && frame.parts[0] != "1") return garbage("a reply without a status");
  return RawReply{.status = frame.parts[0] == "0" ? GDN_REPLY_OK : GDN_REPLY_ERROR,
                  .json = std::string(frame.parts[1])};
}

Result<ToolReply> parse_tool_reply(const RawReply& reply, JsonLimits limits) {
  Result<Json> json = parse_json(reply.json, limits);
  if (!json.ok()) {
    return Error{.code = ErrorCode::ToolBadReply,
                 .message = "the plugin's reply is " + json.error().message,
                 .suggestion = "Reply with one JSON value in UTF-8."};
  }
  if (reply.status == GDN_REPLY_OK) return ToolReply{.outcome = std::move(json)};
  std::optional<Error> error = error_from_json(*json);
  if (error) return ToolReply{.outcome = *std::move(error)};
  return Error{.code = ErrorCode::ToolBadReply,
               .message = "the plugin's error reply has no message",
               .suggestion = "Reply with {\"message\": \"...\"}."};
}

std::string level_part(int level) {
  const int known = std::clamp(level, GDN_LOG_DEBUG + 0, GDN_LOG_ERROR + 0);
  return std::string(1, static_cast<char>('0' + known));
}

Result<LogMessage> parse_log(const ipc::Frame& frame) {
  const std::string_view level = frame.parts[0];
  if (level.size() != 1 || level[0] < '0' || level[0] > '3') return garbage("a log of no level");
  return LogMessage{.level = static_cast<LogLevel>(level[0] - '0'),
                    .text = bounded_text(frame.parts[1])};
}

std::string progress_part(double done, double total) {
  std::string part(2 * sizeof(double), '\0');
  std::memcpy(part.data(), &done, sizeof done);
  std::memcpy(part.data() + sizeof done, &total, sizeof total);
  return part;
}

Result<Progress> parse_progress(const ipc::Frame& frame) {
  if (frame.parts[0].size() != 2 * sizeof(double)) return garbage("a progress without numbers");
  Progress progress;
  std::memcpy(&progress.done, frame.parts[0].data(), sizeof progress.done);
  std::memcpy(&progress.total, frame.parts[0].data() + sizeof progress.done, sizeof progress.total);
  if (!std::isfinite(progress.done)) progress.done = 0;
  if (!std::isfinite(progress.total)) progress.total = 0;
  progress.text = bounded_text(frame.parts[1]);
  return progress;
}

}  // namespace goondan
