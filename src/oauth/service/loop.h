// What the service's thread does: looks at the sessions, listens, polls, delivers, until there is
// nothing left to do.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "oauth/callback/server.h"
#include "oauth/service.h"
#include "oauth/service/deliveries.h"
#include "oauth/service/inbox.h"
#include "oauth/service/workers.h"

namespace goondan::oauth {

// How long an exchange or a poll may take.
inline constexpr std::chrono::seconds kServiceCallTime{30};
// Other processes can end our sessions; we look this often.
inline constexpr std::chrono::seconds kLookAgain{1};
// So that callbacks find a worker.
inline constexpr std::size_t kMaxPollsAtOnce = 2;

// Confined to one thread. Borrows all for its life.
class ServiceLoop {
 public:
  ServiceLoop(const Service::Parts& parts, Manager& manager, ServiceInbox& inbox,
              const std::set<std::string>& others);

  // One round: takes what is in the inbox, does what is due, and waits for more. False once there
  // is nothing to do, or the service stops; nothing runs or listens then.
  bool round();

 private:
  struct Polled {
    bool running = false;
    Deadline not_before = {};
  };

  void take_finished(std::vector<FinishedJob> finished);
  void take_outcome(const CallbackOutcome& outcome);
  void look_at_sessions(Deadline now);
  [[nodiscard]] bool is_pending(const std::string& session_id) const;
  [[nodiscard]] bool ours(const PendingSession& session) const;
  [[nodiscard]] std::optional<CallbackPlace> place_of(const PendingSession& session) const;
  void consume_reservation(const PendingSession& session);
  void report_ended(const PendingSession& session);
  void collect_undelivered(Deadline now);
  void start_polls(Deadline now);
  void start_exchange(CallbackServer::Id browser, CallbackParameters parameters);
  void choose_places(Deadline now);
  [[nodiscard]] bool idle() const;
  void stop();
  [[nodiscard]] ServiceWorkers& workers();

  const Service::Parts& parts_;
  Manager& manager_;
  ServiceInbox& inbox_;
  const std::set<std::string>& others_;  // device codes that were pending before us
  std::map<std::string, PendingSession> sessions_;
  std::map<std::string, Polled> polled_;
  std::vector<CallbackPlace> places_;
  std::size_t jobs_ = 0;  // running or waiting
  Deadline look_at_ = Deadline::max();
  Deadline reserved_until_ = Deadline::max();  // the first that ends
  Deliveries deliveries_;
  CallbackServer server_;
  std::unique_ptr<ServiceWorkers> workers_;
};

}  // namespace goondan::oauth
