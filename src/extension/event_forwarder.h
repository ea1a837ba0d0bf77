// Carries events of the agent's extensions to those behind a peer, on a thread of its own: whoever
// emits does not wait for another process.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "extension/event_bus.h"
#include "host/peer/peer.h"

namespace goondan {

// What waits at most; the oldest goes first.
inline constexpr std::size_t kMaxWaitingEvents = 1'000;
// What the other side has to take one.
inline constexpr std::chrono::seconds kEventTime{10};

// Thread-safe. The bus must outlive it, and so must `listener`, who hears what the other side says
// and asks while it takes an event.
class EventForwarder {
 public:
  EventForwarder(std::shared_ptr<Peer> peer, EventBus& bus, PeerListener& listener);
  ~EventForwarder();
  EventForwarder(const EventForwarder&) = delete;
  EventForwarder& operator=(const EventForwarder&) = delete;

  // An event that comes from the other side: it is not carried back.
  void emit_from_peer(std::string_view name, const Json& payload);

 private:
  struct Event {
    std::string name;
    Json payload;
  };

  void take(std::string_view name, const Json& payload);
  void deliver(Event event, const std::stop_token& stop);
  void run(const std::stop_token& stop);

  std::shared_ptr<Peer> peer_;
  EventBus& bus_;
  PeerListener& heard_by_;
  std::uint64_t listener_ = 0;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Event> waiting_;
  std::jthread thread_;  // started with the first event
};

}  // namespace goondan
