// What comes in: messages of users and agents for agents. Each is checked, put into the journal,
// acknowledged and then delivered, in this order.
//
// Requests (`delegate`) are refused if their target waits for the sender (a cycle); `send` is not
// checked: nobody waits for it, so it carries no call stack. Thread-compatible.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "orchestrator/board.h"
#include "orchestrator/deliveries.h"
#include "orchestrator/payloads.h"
#include "orchestrator/roster.h"

namespace goondan::orchestrator {

inline constexpr std::chrono::milliseconds kDefaultRequestTimeout{60'000};
inline constexpr std::chrono::milliseconds kMaxRequestTimeout{std::chrono::hours{24}};
// A blocking request is forgotten this long after its deadline: its caller keeps the time itself,
// and an answer that is under way at the deadline is still its answer.
inline constexpr std::chrono::milliseconds kBlockingGrace{5'000};

class Handoffs {
 public:
  Handoffs(Board& board, Deliveries& deliveries, Roster& roster)
      : board_(board), deliveries_(deliveries), roster_(roster) {}

  // From a client: `{id?, agent?, instanceKey?, input, metadata?}`.
  Result<Json> submit(const JsonObject& params);
  // From an agent; both answer it with `reply`.
  void send(Instance& sender, const JsonObject& payload);
  void delegate(Instance& sender, const ipc::Message& message);

  void restore(store::RequestRecord record);
  // An asynchronous request is answered with a time-out, a blocking one is forgotten.
  void on_timeout(std::string_view correlation_id);

 private:
  Result<Json> take_send(Instance& sender, const JsonObject& payload);
  Result<Json> take_delegate(Instance& sender, const ipc::Message& message);
  Result<NewTurn> from_agent(const Instance& sender, const JsonObject& payload,
                             std::string_view event_type);
  Result<void> check_request(const Instance& sender, const ipc::Message& message);
  Result<store::Journal::Accepted> accept(const store::JournalMessage& message,
                                          const store::RequestRecord* request);
  void accepted(const NewTurn& turn, const InstanceName& owner,
                const store::JournalMessage& message);
  void watch_deadline(Request& request);

  Board& board_;
  Deliveries& deliveries_;
  Roster& roster_;
};

}  // namespace goondan::orchestrator
