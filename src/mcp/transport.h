// How JSON-RPC messages reach an MCP server and come back: over the pipes of a child process, or
// by HTTP. A transport knows nothing of sessions; `client.h` does.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan::mcp {

// One message, and the answer to one request. Larger ones are refused.
inline constexpr std::size_t kMaxMessageBytes = std::size_t{16} << 20;

// The two families of revisions of the protocol; see `docs/mcp.md`.
enum class Era {
  Unknown,  // not found out yet
  Legacy,   // up to 2025-11-25: `initialize`, sessions
  Modern,   // from 2026-07-28: stateless, `_meta` in every request
};

// A request to the server. `message` is whole: `{jsonrpc, id, method, params}`.
struct Outgoing {
  Json message = nullptr;
  Deadline deadline = Deadline::max();
  std::stop_token stop = {};
  // Further HTTP headers (`Mcp-Param-*`); not used over pipes.
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// What comes from the server without being an answer: notifications and, from legacy servers,
// requests. May be called on any thread, several at once; must return promptly (answers are sent
// with `Transport::send`).
using OnMessage = std::function<void(const Json& message)>;

// Thread-safe. Destroying it ends the connection, and the process that it started with its tree.
class Transport {
 public:
  virtual ~Transport() = default;

  // Sends a request and waits for its answer: the whole response message, `result` or `error`
  // inside. Fails with `E_MCP_SERVER` (gone, cannot be started, refuses: with what it said on
  // standard error, or the HTTP status), `E_MCP` (no JSON-RPC), `E_LIMIT`, `E_TOOL_TIMEOUT`,
  // `E_TOOL_CANCELLED`. After the last two the server is told to stop, as the era wants it.
  virtual Result<Json> request(const Outgoing& outgoing) = 0;

  // A notification, or the answer to a request of the server.
  virtual Result<void> send(const Json& message, Deadline deadline) = 0;

  // From now on the transport follows the rules of this era and says so in its headers.
  virtual void set_era(Era era, std::string protocol_version) = 0;

  // Whether it can still be used.
  [[nodiscard]] virtual bool alive() const = 0;

  // Opens what it takes to hear from the server outside of answers (the GET stream of a legacy
  // server). Nothing over pipes.
  virtual void listen() = 0;
};

}  // namespace goondan::mcp
