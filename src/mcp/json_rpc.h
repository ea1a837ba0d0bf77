// JSON-RPC 2.0 messages as MCP uses them: building ours, and sorting what a server sends. Nothing
// here trusts a message to have the shape it should.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::mcp {

inline constexpr std::int64_t kMethodNotFound = -32601;
inline constexpr std::int64_t kInvalidParams = -32602;
inline constexpr std::int64_t kInternalError = -32603;
// The modern era's own.
inline constexpr std::int64_t kHeaderMismatch = -32020;
inline constexpr std::int64_t kMissingCapability = -32021;
inline constexpr std::int64_t kUnsupportedVersion = -32022;

// Texts of a server that go into messages of ours are cut to this many code points.
inline constexpr std::size_t kMaxQuotedText = 500;

JsonObject make_request(std::int64_t id, std::string_view method, JsonObject params);
JsonObject make_notification(std::string_view method, JsonObject params);
// Answers to a request of the server; `id` is the server's and is sent back as it came.
JsonObject make_result(const Json& id, Json result);
JsonObject make_error(const Json& id, std::int64_t code, std::string_view message);

enum class MessageKind { Response, Request, Notification, Nonsense };

MessageKind kind_of(const Json& message);

// The id of a response if it is one that we could have given; our ids are whole numbers.
std::optional<std::int64_t> response_id(const JsonObject& response);

// The id in a line that is no valid JSON but was meant as a message: the number behind the key
// `id` of the outermost object. Lets a broken answer fail its own request at once.
std::optional<std::int64_t> guess_id(std::string_view line);

// The `error` of a response. A value.
struct RpcError {
  std::int64_t code = 0;
  std::string message = {};
  Json data = nullptr;
};

RpcError read_error(const JsonObject& response);

// `text` of a server for a message of ours: one line, valid UTF-8, without control characters, cut
// to `limit` code points.
std::string clean_text(std::string_view text, std::size_t limit = kMaxQuotedText);

}  // namespace goondan::mcp
