#include "orchestrator/clients.h"

#include <algorithm>
#include <fcntl.h>

#include "base/json_fields.h"
#include "orchestrator/control_socket.h"

namespace goondan::orchestrator {
namespace {

// For another try if descriptors have run out.
constexpr std::chrono::seconds kAcceptPause{1};

// Arrays of at most `kMaxBatchBytes`, or of one element.
std::vector<JsonArray> batches(const std::vector<Observed>& observations) {
  std::vector<JsonArray> out;
  std::size_t bytes = kMaxBatchBytes;
  for (const Observed& one : observations) {
    if (bytes + one.size > kMaxBatchBytes) {
      out.emplace_back();
      bytes = 0;
    }
    out.back().push_back(one.observation);
    bytes += one.size;
  }
  return out;
}

}  // namespace

struct Clients::Client {
  Client(std::uint64_t number, OwnerState state)
      : id(number),
        peer(std::move(state.socket), state.received, state.unsent),
        watching(state.watching == OwnerState::Watching::Yes) {}

  std::uint64_t id;
  ipc::Peer peer;
  Loop::Watch watch = {};
  bool watching;
  bool ending = false;
  std::int64_t dropped = 0;  // observations since the last that was sent
};

Clients::Clients(Loop& loop, ClientsListener& listener) : loop_(loop), listener_(listener) {}

Clients::~Clients() = default;

Result<std::uint64_t> Clients::add(OwnerState state, std::uint32_t events) {
  const std::uint64_t id = ++last_id_;
  auto client = std::make_unique<Client>(id, std::move(state));
  client->watch = GDN_TRY(loop_.watch(client->peer.fd(), events,
                                      [this, id](std::uint32_t ready) { on_ready(id, ready); }));
  clients_[id] = std::move(client);
  return id;
}

Result<void> Clients::add_owner(OwnerState owner) {
  ::fcntl(owner.socket.get(), F_SETFL, O_NONBLOCK);
  owner_ = GDN_TRY(add(std::move(owner), EPOLLRDHUP));
  return {};
}

Result<void> Clients::open(os::UniqueFd listener) {
  socket_ = std::move(listener);
  accepting_ = GDN_TRY(loop_.watch(socket_.get(), EPOLLIN, [this](auto) { accept(); }));
  if (owner_ == 0) return {};
  clients_.at(owner_)->watch.want(EPOLLIN | EPOLLOUT);
  // Requests may have come whole to the program before this one.
  loop_.defer([this] { take_requests(owner_); });
  return {};
}

void Clients::accept() {
  while (os::UniqueFd socket = accept_own(socket_.get())) {
    if (clients_.size() >= kMaxClients) continue;
    // Without a descriptor to watch it with it is closed, as if there were too many.
    static_cast<void>(add({.socket = std::move(socket)}, EPOLLIN).ok());
  }
  if (errno != EMFILE && errno != ENFILE) return;
  accepting_.want(0);
  accept_again_ = loop_.at(Clock::now() + kAcceptPause, [this] { accepting_.want(EPOLLIN); });
}

void Clients::on_ready(std::uint64_t id, std::uint32_t events) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  Client& client = *found->second;
  if (!accepting_.watching()) return end(id);  // the owner left while the bundle is being loaded
  if ((events & EPOLLOUT) != 0) {
    if (!client.peer.flush().ok()) return end(id);
    if (client.dropped > 0 && client.peer.queued() < kMaxWatchBytes / 2) send_gap(client);
  }
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) return take_requests(id);
  client.watch.want(static_cast<std::uint32_t>(client.peer.events()));
}

void Clients::take_requests(std::uint64_t id) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  std::vector<ipc::Message> messages;
  const Result<void> received = found->second->peer.receive(messages);
  for (const ipc::Message& message : messages)
    listener_.on_request(id, object_or_empty(message.payload));
  if (!received.ok()) return end(id);
  if (!clients_.contains(id)) return;
  Client& client = *clients_.at(id);
  client.watch.want(static_cast<std::uint32_t>(client.peer.events()));
}

Result<void> Clients::send(Client& client, JsonObject payload) {
  Result<void> sent = client.peer.send({.type = ipc::MessageType::Event,
                                        .from = "orchestrator",
                                        .to = "cli",
                                        .payload = std::move(payload)});
  client.watch.want(static_cast<std::uint32_t>(client.peer.events()));
  return sent;
}

void Clients::reply(std::uint64_t id, std::string_view request_id, const Result<Json>& answer) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  JsonObject payload{{"kind", "reply"}, {"requestId", request_id}};
  if (answer.ok()) {
    payload["result"] = *answer;
  } else {
    payload["error"] = error_json(answer.error());
  }
  const Result<void> sent = send(*found->second, std::move(payload));
  if (sent.ok()) return;
  const bool too_large = sent.error().code == ErrorCode::Limit && answer.ok() &&
                         found->second->peer.queued() < kMaxWatchBytes;
  if (too_large) return reply(id, request_id, sent.error());
  end_later(id);
}

void Clients::tell_owner(std::string_view kind, JsonObject payload) {
  if (owner_ == 0) return;
  JsonObject whole{{"kind", kind}};
  for (auto& [key, value] : payload)
    whole[key] = std::move(value);
  if (!send(*clients_.at(owner_), std::move(whole)).ok()) end_later(owner_);
}

void Clients::set_watching(std::uint64_t id) {
  const auto found = clients_.find(id);
  if (found != clients_.end()) found->second->watching = true;
}

void Clients::observe(const std::vector<Observed>& observations) {
  const auto watches = [](const auto& entry) { return entry.second->watching; };
  if (observations.empty() || std::ranges::none_of(clients_, watches)) return;
  for (const JsonArray& batch : batches(observations)) {
    for (const auto& [id, client] : clients_) {
      if (client->watching && !client->ending) send_observations(*client, batch);
    }
  }
}

void Clients::send_observations(Client& client, const JsonArray& observations) {
  const auto count = static_cast<std::int64_t>(observations.size());
  if (client.dropped > 0 || client.peer.queued() > kMaxWatchBytes) {
    client.dropped += count;
    return;
  }
  const Result<void> sent = send(client, {{"kind", "observe"}, {"events", observations}});
  if (sent.ok()) return;
  if (sent.error().code != ErrorCode::Limit) return end_later(client.id);
  client.dropped += count;
  // What is too large for a message is not waited for.
  if (client.peer.queued() == 0) send_gap(client);
}

void Clients::send_gap(Client& client) {
  const JsonObject gap{{"type", "gap"}, {"dropped", std::exchange(client.dropped, 0)}};
  if (!send(client, {{"kind", "observe"}, {"events", JsonArray{gap}}}).ok()) end_later(client.id);
}

void Clients::flush(Deadline deadline) {
  const os::StopWaker never;
  for (const auto& [id, client] : clients_) {
    while (client->peer.queued() > 0 && client->peer.flush().ok() && client->peer.queued() > 0) {
      if (os::wait_writable(client->peer.fd(), deadline, never) != os::Wake::Ready) break;
    }
  }
}

os::UniqueFd Clients::take_listener() {
  accepting_.end();
  return std::move(socket_);
}

OwnerState Clients::take_owner() {
  const std::uint64_t id = std::exchange(owner_, 0);
  if (id == 0) return {};
  const std::unique_ptr<Client> client = std::move(clients_.extract(id).mapped());
  client->watch.end();
  OwnerState state{
      .received = std::string(client->peer.rest()),
      .unsent = std::string(client->peer.unsent()),
      .watching = client->watching ? OwnerState::Watching::Yes : OwnerState::Watching::No};
  state.socket = client->peer.release();
  return state;
}

void Clients::end_later(std::uint64_t id) {
  clients_.at(id)->ending = true;
  loop_.defer([this, id] { end(id); });
}

void Clients::end(std::uint64_t id) {
  if (clients_.erase(id) == 0) return;
  if (id != owner_) return listener_.on_client_gone(id);
  owner_ = 0;
  listener_.on_owner_gone();
}

}  // namespace goondan::orchestrator
