// The parts of the dispatcher put together, and which of them a message is for.
#pragma once

#include <chrono>
#include <string_view>

#include <goondan/json.h>

#include "orchestrator/board.h"
#include "orchestrator/deliveries.h"
#include "orchestrator/dispatcher.h"
#include "orchestrator/handles.h"
#include "orchestrator/handoffs.h"
#include "orchestrator/roster.h"

namespace goondan::orchestrator {

inline constexpr std::chrono::hours kTidyEvery{1};

struct Dispatcher::State {
  State(store::Journal& journal, SwarmInfo swarm, Processes& processes)
      : board(journal, std::move(swarm), processes) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Result<void> restore();
  void take(Instance& sender, const ipc::Message& message);
  void take_event(Instance& sender, const ipc::Message& message, const JsonObject& payload);
  void take_request(Instance& sender, const JsonObject& payload);
  Result<Json> agent_method(Instance& sender, std::string_view method, const JsonObject& params);
  bool take_client(std::uint64_t client, std::string_view kind, std::string_view request_id,
                   const JsonObject& params);
  Result<Json> cancel(const JsonObject& params);
  void on_timer(const Timer& timer);
  Result<void> forget(const InstanceName& name);
  void tidy();
  // Does what follows from what was just taken in, and tells `Processes`.
  void hand_over();

  Board board;
  Deliveries deliveries{board};
  Roster roster{board, deliveries};
  Handoffs handoffs{board, deliveries, roster};
  Handles handles{board, deliveries};
};

}  // namespace goondan::orchestrator
