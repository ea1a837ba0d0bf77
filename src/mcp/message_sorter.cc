#include "mcp/message_sorter.h"

#include "base/utf8.h"
#include "mcp/json_rpc.h"

namespace goondan::mcp {
namespace {

constexpr std::size_t kShownOfNonsense = 200;  // code points

// Text of a server in a wrong encoding is no reason to lose the whole answer.
Result<Json> parse_line(std::string_view line) {
  const JsonLimits limits{.max_bytes = kMaxMessageBytes};
  if (utf8::valid(line)) return parse_json(line, limits);
  return parse_json(utf8::repaired(line), limits);
}

// Whether `line` was meant as a message, and is not just a log in JSON.
bool is_like_a_message(std::string_view line) {
  return line.find("\"jsonrpc\"") != std::string_view::npos ||
         line.find("\"result\"") != std::string_view::npos;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

Result<void> MessageSorter::take(std::string_view line) {
  if (is_blank(line)) {
    ++unasked_;
    return {};
  }
  Result<Json> message = parse_line(line);
  if (!message.ok()) return take_nonsense(line, message.error().message);
  JsonArray* batch = message->if_array();
  if (batch == nullptr || batch->empty()) return take_message(*std::move(message), line);
  // One revision (2025-03-26) has several messages in a line.
  for (Json& one : *batch)
    GDN_TRY(take_message(std::move(one), line));
  return {};
}

Result<void> MessageSorter::take_message(Json message, std::string_view line) {
  switch (kind_of(message)) {
    case MessageKind::Nonsense:
      return take_nonsense(line, "it is no JSON-RPC message");
    case MessageKind::Response:
      take_response(std::move(message));
      return {};
    case MessageKind::Request:
    case MessageKind::Notification:
      ++unasked_;
      if (parts_.on_message) parts_.on_message(message);
      return {};
  }
  return {};
}

void MessageSorter::take_response(Json message) {
  const JsonObject& response = message.get_object();
  std::optional<std::int64_t> id = response_id(response);
  // A server that could not read a request cannot know its id.
  const Json* given = response.if_contains("id");
  if (!id && response.contains("error") && (given == nullptr || given->is_null())) {
    id = parts_.pending.only_one();
    if (!id) {
      ++unasked_;
      parts_.log.write(LogLevel::Warn, "an error for no request: " + read_error(response).message);
      return;
    }
  }
  const std::string shown = given == nullptr ? "none" : to_text(*given);
  if (id && parts_.pending.answer(*id, std::move(message)) == PendingRequests::Taken::Yes) return;
  ++unasked_;
  parts_.log.write(LogLevel::Debug, "an answer that nobody waits for, id " + shown);
}

Result<void> MessageSorter::take_nonsense(std::string_view line, std::string_view why) {
  ++unasked_;
  const std::string shown = clean_text(line, kShownOfNonsense);
  // An answer, but a broken one: whoever waits for it need not wait until the deadline.
  const std::optional<std::int64_t> id = is_like_a_message(line) ? guess_id(line) : std::nullopt;
  if (id) {
    parts_.pending.answer(*id, Error{.code = ErrorCode::Mcp,
                                     .message = "the answer of '" + std::string(parts_.server) +
                                                "' cannot be read: " + std::string(why),
                                     .suggestion = "Report this to the authors of the server."});
  }
  parts_.log.write(LogLevel::Warn,
                   "a line that is no message (" + std::string(why) + "): " + shown);
  if (++nonsense_ <= kMaxNonsenseLines) return {};
  return Error{
      .code = ErrorCode::Mcp,
      .message = "'" + std::string(parts_.server) + "' writes lines that are no messages: " + shown,
      .suggestion =
          "A server over pipes must write nothing but messages to its standard "
          "output; see whether it has an option for that."};
}

}  // namespace goondan::mcp
