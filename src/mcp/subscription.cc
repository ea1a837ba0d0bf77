#include "mcp/subscription.h"

#include <condition_variable>

namespace goondan::mcp {
namespace {

// Whether the whole pause passed.
bool pause_for(std::chrono::seconds pause, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_until(lock, stop, Clock::now() + pause, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace

Subscription::Subscription(Parts parts)
    : parts_(parts), thread_([this](const std::stop_token& stop) { run(stop); }) {}

Subscription::Next Subscription::listen_once(const std::stop_token& stop) {
  const JsonObject wanted{{"toolsListChanged", true}};
  const RequestOptions options{.deadline = Clock::now() + kListenTime, .stop = stop};
  const Result<Reply> reply =
      parts_.exchange.ask("subscriptions/listen", {{"notifications", wanted}}, options);
  if (stop.stop_requested() || !parts_.exchange.transport().alive()) return Next::GiveUp;
  if (!reply.ok()) return Next::Listen;
  if (const RpcError* error = std::get_if<RpcError>(&*reply)) {
    parts_.log.write(LogLevel::Warn,
                     parts_.exchange.to_error("subscriptions/listen", *error).message);
    return Next::GiveUp;
  }
  return Next::Listen;
}

void Subscription::run(const std::stop_token& stop) {
  std::chrono::seconds pause = kFirstListenPause;
  while (true) {
    const Deadline begin = Clock::now();
    if (listen_once(stop) == Next::GiveUp) return;
    // One that lasted has worked; those that end at once must not come in quick succession.
    pause = Clock::now() - begin > kLastListenPause ? kFirstListenPause
                                                    : std::min(pause * 2, kLastListenPause);
    if (!pause_for(pause, stop)) return;
    // Nobody was listening in between.
    if (parts_.on_tools_changed) parts_.on_tools_changed();
  }
}

}  // namespace goondan::mcp
