// What handlers may ask of the runtime, asked of the orchestrator: other agents, pending results,
// restarts. `docs/protocol.md` has the methods.
#pragma once

#include <chrono>
#include <memory>

#include <goondan/executor.h>
#include <goondan/resources.h>

#include "agent/link.h"
#include "agent/outbox.h"
#include "agent/request_waits.h"
#include "agent/runtime_service.h"
#include "builtin/workspaces.h"
#include "ipc/message.h"
#include "store/instance_store.h"

namespace goondan::agent {

inline constexpr std::chrono::milliseconds kDefaultRequestTime{60'000};
// A wait ends so long before the deadline of its call: its own answer says more than the
// executor's.
inline constexpr std::chrono::milliseconds kAnswerBeforeDeadline{100};

// Thread-safe. Borrows link, outbox and store; the rest is its own.
class RuntimeClient final : public CallRuntime {
 public:
  struct Parts {
    Link& link;
    Outbox& outbox;                     // what was observed before a request is told before it
    const store::InstanceStore& store;  // answers `handles.read`
    std::shared_ptr<builtin::Workspaces> workspaces;  // what a `cwd` may be
    std::size_t max_result_bytes;
    // Answer what is theirs; the first that serves a method does. Borrowed.
    std::vector<RuntimeService*> services = {};
  };

  explicit RuntimeClient(Parts parts) : parts_(std::move(parts)) {}

  Result<Json> request(const Caller& caller, std::string_view method, const Json& params) override;

  // A message to an agent of the swarm, itself included, that no call sends: it comes from the
  // runtime's part `source`. The same `id` again is no second message.
  struct SystemMessage {
    std::string id;
    std::string source;
    std::string target;
    std::string instance_key;
    std::string text;
    std::string event_type;
    JsonObject metadata = {};
    Json origin = nullptr;
    Json auth = nullptr;
  };
  Result<void> enqueue(const SystemMessage& message, Deadline deadline,
                       const std::stop_token& stop);

  // From the orchestrator: the payload of a `reply`, a `delegate_result`, and its end.
  void on_reply(const JsonObject& payload);
  void on_result(const ipc::Message& message);
  void on_gone() { waits_.on_gone(); }

 private:
  Result<Json> ask_agent(const Caller& caller, const JsonObject& params);
  Result<Json> tell_agent(const Caller& caller, const JsonObject& params);
  Result<Json> spawn_agent(const Caller& caller, JsonObject params);
  Result<Json> wait_for_handle(const Caller& caller, JsonObject params);
  Result<Json> ask_orchestrator(const Caller& caller, std::string_view method, JsonObject params);

  Parts parts_;
  RequestWaits waits_;
};

}  // namespace goondan::agent
