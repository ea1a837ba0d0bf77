// The connections of command lines, and that of the owner: requests come in, replies and
// observations go out.
//
// Confined to the loop. A client that does not read loses observations, which it is told when it
// reads again (`gap`); one that leaves its replies unread, or speaks nonsense, is cut off. The
// listener is called from the loop only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "ipc/channel.h"
#include "orchestrator/loop.h"
#include "os/unique_fd.h"

namespace goondan::orchestrator {

inline constexpr std::size_t kMaxClients = 64;
// Of observations that a client has not read; the rest of its queue is for replies.
inline constexpr std::size_t kMaxWatchBytes = ipc::kMaxQueuedBytes / 4;
// Of one `observe` message.
inline constexpr std::size_t kMaxBatchBytes = ipc::kMaxMessageBytes / 2;

struct Observed {
  Json observation = nullptr;
  std::size_t size = 0;  // of its text
};

class ClientsListener {
 public:
  virtual ~ClientsListener() = default;
  virtual void on_request(std::uint64_t client, const JsonObject& payload) = 0;
  virtual void on_client_gone(std::uint64_t client) = 0;
  virtual void on_owner_gone() = 0;
};

// A connection that is handed from one program of the same process to the next.
struct OwnerState {
  os::UniqueFd socket = {};
  std::string received = {};  // bytes of a message that is not complete
  std::string unsent = {};
  enum class Watching { No, Yes } watching = Watching::No;
};

class Clients {
 public:
  Clients(Loop& loop, ClientsListener& listener);
  ~Clients();

  // From now on the end of the owner is noticed; its requests are taken from `open` on.
  Result<void> add_owner(OwnerState owner);
  Result<void> open(os::UniqueFd listener);

  void reply(std::uint64_t client, std::string_view request_id, const Result<Json>& answer);
  // To the owner: `started`, `stopped` and their kin.
  void tell_owner(std::string_view kind, JsonObject payload);
  // From now on observations go to this client.
  void set_watching(std::uint64_t client);
  // In one message, if they fit into one.
  void observe(const std::vector<Observed>& observations);

  // Sends what is queued for the owner and for those that wait for replies.
  void flush(Deadline deadline);
  // The owner's connection, for the next program. It is not served any more.
  OwnerState take_owner();
  // Connections wait in it from now on.
  os::UniqueFd take_listener();
  [[nodiscard]] bool has_owner() const { return owner_ != 0; }

 private:
  struct Client;

  Result<std::uint64_t> add(OwnerState state, std::uint32_t events);
  void accept();
  void on_ready(std::uint64_t id, std::uint32_t events);
  void take_requests(std::uint64_t id);
  Result<void> send(Client& client, JsonObject payload);
  void send_observations(Client& client, const JsonArray& observations);
  void send_gap(Client& client);
  void end(std::uint64_t id);
  void end_later(std::uint64_t id);

  Loop& loop_;
  ClientsListener& listener_;
  std::map<std::uint64_t, std::unique_ptr<Client>> clients_;
  std::uint64_t last_id_ = 0;
  std::uint64_t owner_ = 0;  // 0: none
  os::UniqueFd socket_;
  Loop::Watch accepting_;
  Loop::Timer accept_again_;
};

}  // namespace goondan::orchestrator
