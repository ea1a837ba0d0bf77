#include "extension/event_forwarder.h"

namespace goondan {
namespace {

// Whose event this thread is giving to the bus right now.
thread_local const EventForwarder* emitting = nullptr;

}  // namespace

EventForwarder::EventForwarder(std::shared_ptr<Peer> peer, EventBus& bus, PeerListener& listener)
    : peer_(std::move(peer)), bus_(bus), heard_by_(listener) {
  listener_ =
      bus_.on_any([this](std::string_view name, const Json& payload) { take(name, payload); });
}

EventForwarder::~EventForwarder() {
  bus_.off(listener_);
}

void EventForwarder::emit_from_peer(std::string_view name, const Json& payload) {
  const EventForwarder* const before = std::exchange(emitting, this);
  bus_.emit(name, payload);
  emitting = before;
}

void EventForwarder::take(std::string_view name, const Json& payload) {
  if (emitting == this) return;
  const std::scoped_lock lock(mutex_);
  if (waiting_.size() >= kMaxWaitingEvents) waiting_.pop_front();
  waiting_.push_back({.name = std::string(name), .payload = payload});
  if (!thread_.joinable())
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  wake_.notify_one();
}

void EventForwarder::deliver(Event event, const std::stop_token& stop) {
  const PeerCall call{
      .method = "event",
      .params = JsonObject{{"name", std::move(event.name)}, {"payload", std::move(event.payload)}},
      .deadline = Clock::now() + kEventTime,
      .stop = stop,
      .on_request = [this](const std::string& method,
                           const Json& params) { return heard_by_.on_request(method, params); },
      .on_notify = [this](const std::string& method,
                          const Json& params) { heard_by_.on_notify(method, params); }};
  // Nobody waits for an answer; a peer that is gone is told of by its next call.
  static_cast<void>(peer_->call(call).ok());
}

void EventForwarder::run(const std::stop_token& stop) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
    Event event = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    deliver(std::move(event), stop);
  }
}

}  // namespace goondan
