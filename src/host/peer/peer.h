// Code of a bundle that runs somewhere else, spoken to as `docs/extension-protocol.md` says: a
// script host, a plugin's worker, or a plugin in our own process.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan {

// One call of ours, and what the other side asks or says while it lasts. The functions run on the
// caller's thread, between the call and its reply, in the order in which they came; a request that
// is answered slowly holds up only its own call. Either may be empty: requests are then refused.
struct PeerCall {
  std::string_view method;
  Json params = nullptr;
  Deadline deadline = Deadline::max();  // read again after every request
  std::stop_token stop = {};
  std::function<Result<Json>(const std::string& method, const Json& params)> on_request = {};
  std::function<void(const std::string& method, const Json& params)> on_notify = {};
};

// What the other side says outside of any call of ours. On a thread of the peer's; must not wait.
class PeerListener {
 public:
  virtual ~PeerListener() = default;
  virtual void on_notify(const std::string& method, const Json& params) = 0;
  virtual Result<Json> on_request(const std::string& method, const Json& params) = 0;
};

// Thread-safe: many calls at a time, also from within `on_request` of another.
class Peer {
 public:
  virtual ~Peer() = default;

  // The reply, the other side's own error, `E_EXT_CRASH` (its process ended), `E_TOOL_TIMEOUT`,
  // `E_TOOL_CANCELLED`, `E_TOOL_BAD_REPLY` (it broke the protocol), `E_HOST_UNAVAILABLE` (it cannot
  // be started).
  virtual Result<Json> call(const PeerCall& call) = 0;

  // Runs `setup` now and whenever the other side has been started again, before any other call
  // reaches it. Fails as `setup` does. `setup` calls the peer it is given.
  using Setup = std::function<Result<void>(Peer& peer)>;
  virtual Result<void> add_setup(Setup setup) = 0;

  // Adds one who hears what comes outside of calls; each is told of everything, and the first that
  // does not answer a request with `E_NOT_FOUND` answers it.
  virtual void listen(std::shared_ptr<PeerListener> listener) = 0;
};

}  // namespace goondan
