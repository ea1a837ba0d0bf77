// What the dispatcher tells the side that has the processes, in order, after it has made up its
// mind.
//
// Collected while the dispatcher changes its state and handed over at the end, so that `Processes`
// may call back into the dispatcher from any of its functions. Thread-compatible.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <variant>

#include <goondan/json.h>
#include <goondan/result.h>

#include "ipc/message.h"
#include "orchestrator/dispatcher.h"
#include "orchestrator/queues.h"

namespace goondan::orchestrator {

class Outbox {
 public:
  Outbox(Processes& processes, const Queues& queues) : processes_(processes), queues_(queues) {}

  void want(const Instance& instance);
  // To the process that the instance has now; dropped if that one is gone when its time comes.
  void deliver(const Instance& instance, ipc::Message message);
  // `event` with this payload, from the orchestrator.
  void deliver_event(const Instance& instance, JsonObject payload);
  // `reply` to a request of the instance's process `generation`.
  void reply_agent(const InstanceName& name, Generation generation, std::string_view request_id,
                   Result<Json> answer);
  void reply_client(std::uint64_t client, std::string_view request_id, Result<Json> answer);
  void observe(JsonObject observation);
  // Something that should not be: for the log.
  void problem(const InstanceName& name, std::string_view message_id, const Error& error);
  void restart(std::string reason);
  // The process that said so is answered when the bundle has been read.
  void bundle_changed(const Instance& instance, std::string request_id);

  void flush();

 private:
  struct Want {
    InstanceName name;
    std::string cwd;
  };
  struct Deliver {
    InstanceName name;
    Generation generation;
    ipc::Message message;
  };
  struct Reply {
    std::uint64_t client;
    std::string request_id;
    Result<Json> answer;
  };
  struct Observe {
    JsonObject observation;
  };
  struct Restart {
    std::string reason;
  };
  struct BundleChanged {
    InstanceName name;
    Generation generation;
    std::string request_id;
  };
  using Action = std::variant<Want, Deliver, Reply, Observe, Restart, BundleChanged>;

  void run(Want& want);
  void run(Deliver& deliver);
  void run(Reply& reply);
  void run(Observe& observe);
  void run(Restart& restart);
  void run(BundleChanged& changed);

  Processes& processes_;
  const Queues& queues_;
  std::deque<Action> actions_;
  bool flushing_ = false;
};

}  // namespace goondan::orchestrator
