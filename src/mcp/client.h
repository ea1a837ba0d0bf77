// A client of one MCP server, of either era, over any transport.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "mcp/transport.h"
#include "net/host_policy.h"

namespace goondan::mcp {

inline constexpr std::string_view kModernVersion = "2026-07-28";
inline constexpr std::string_view kLegacyVersion = "2025-11-25";

// What a server may be asked for at most.
inline constexpr std::size_t kMaxTools = 10'000;
inline constexpr std::size_t kMaxPages = 1'000;

// A program to start (`command`), or an address (`url`).
struct Server {
  std::string name = {};  // for messages
  std::vector<std::string> command = {};
  std::vector<std::string> environment = {};  // "NAME=value": all of it
  std::string folder = {};
  std::string url = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// What we can do for a server that asks (elicitation, sampling, roots). Empty functions: the
// capability is not declared, and requests are refused.
struct Services {
  std::vector<std::string> roots = {};  // folders; empty: not declared
  // `params` of `elicitation/create` -> its result, e.g. `{action: "decline"}`.
  std::function<Result<Json>(const Json& params)> elicit = {};
  // `params` of `sampling/createMessage` -> its result.
  std::function<Result<Json>(const Json& params)> sample = {};
};

struct ConnectOptions {
  Deadline deadline = Deadline::max();  // for the handshake
  std::stop_token stop = {};
  std::optional<std::chrono::milliseconds> probe_time = {};  // for `server/discover` over pipes
  Era era = Era::Unknown;                                    // known beforehand: no probing
  Services services = {};
  net::HostPolicy hosts = {};                                // for `url`
  std::function<void(LogLevel, std::string_view)> log = {};  // the server's standard error, notices
  // The tools have changed: `list_tools` again. On any thread; must return promptly.
  std::function<void()> on_tools_changed = {};
};

struct ServerInfo {
  Era era = Era::Unknown;
  std::string protocol_version = {};
  std::string name = {};
  std::string version = {};
  std::string instructions = {};
  JsonObject capabilities = {};
};

struct ToolInfo {
  std::string name = {};
  std::string title = {};
  std::string description = {};
  Json input_schema = nullptr;  // as the server wrote it
  std::optional<Json> output_schema = {};
  JsonObject annotations = {};
  Json raw = nullptr;  // the whole definition
};

struct ToolList {
  std::vector<ToolInfo> tools = {};
  std::vector<std::string> dropped = {};  // definitions that are not usable, and why
};

struct RequestOptions {
  Deadline deadline = Deadline::max();
  std::stop_token stop = {};
  std::function<void(const Progress&)> on_progress = {};  // asks for progress if set
};

// Thread-safe: several requests at a time. Fails as `Transport::request` does; an error of the
// server is `E_MCP` with its message and number. Destroying it ends the server.
class Client {
 public:
  static Result<std::unique_ptr<Client>> connect(const Server& server, ConnectOptions options);
  virtual ~Client() = default;

  [[nodiscard]] virtual const ServerInfo& info() const = 0;
  [[nodiscard]] virtual bool alive() const = 0;

  // All pages.
  virtual Result<ToolList> list_tools(const RequestOptions& options) = 0;
  // The server's `CallToolResult` as it came, also one with `isError`; requests for input are
  // answered by `Services`. `structuredContent` that does not fit the tool's `outputSchema` is
  // `E_MCP`. For HTTP the headers that the schema asks for are sent.
  virtual Result<Json> call_tool(const ToolInfo& tool, const JsonObject& arguments,
                                 const RequestOptions& options) = 0;
  // Any other request, e.g. `resources/read`, `prompts/get`; its `result`.
  virtual Result<Json> request(std::string_view method, JsonObject params,
                               const RequestOptions& options) = 0;
};

}  // namespace goondan::mcp
