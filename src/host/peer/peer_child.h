// One run of a peer's process, from its start to its end.
#pragma once

#include <memory>
#include <string>

#include "host/peer/connection.h"
#include "host/peer/peer.h"
#include "host/peer/peer_listeners.h"
#include "host/peer/peer_process.h"
#include "tool/worker_threads.h"

namespace goondan::peer {

// Thread-safe. Whoever makes one calls `end` and `await_gone` before the surroundings go.
class PeerChild {
 public:
  struct Surroundings {
    WorkerThreads& threads;
    PeerListeners& listeners;
  };
  // Returns when it has been started; whether it comes up is told by `await_hello`.
  static Result<std::shared_ptr<PeerChild>> start(const PeerProcessOptions& options,
                                                  Surroundings surroundings);
  PeerChild(std::string name, std::shared_ptr<Connection> connection, WorkerThreads& threads);

  Result<void> await_hello();
  Result<Json> call(const PeerCall& call);

  [[nodiscard]] bool ended() const { return connection_->calls().ended(); }
  [[nodiscard]] Error end_error() const { return connection_->calls().end_error(); }
  void end();
  void await_gone();

 private:
  class Conversation;

  std::string name_;
  std::shared_ptr<Connection> connection_;
  WorkerThreads& threads_;
};

}  // namespace goondan::peer
