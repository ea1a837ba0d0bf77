// What the orchestrator must not forget: messages that it has accepted and not finished, instances,
// requests whose answer is to be injected, and pending handles. The file `orchestrator.db`.
//
// Every change is one transaction. Thread-compatible: the orchestrator's loop is its only user; the
// command line uses it when no orchestrator runs (both take `orchestrator.lock` first).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "store/database.h"

namespace goondan::store {

enum class MessageKind { Turn, Delegate, Inject };

struct JournalMessage {
  std::int64_t seq = 0;  // set by the journal: the order of acceptance
  std::string id = {};   // unique for ever
  MessageKind kind = MessageKind::Turn;
  std::string agent = {};
  std::string instance_key = {};
  std::string correlation_id = {};  // of a delegate
  std::string payload = {};         // JSON
  std::int64_t attempts = 0;        // deliveries that were begun
};

struct InstanceRecord {
  std::string agent = {};
  std::string instance_key = {};
  std::string owner_agent = {};  // empty: the user
  std::string owner_instance_key = {};
  std::string cwd = {};
  std::string created_at = {};
};

// An accepted request of one agent to another. Kept until it is answered.
struct RequestRecord {
  std::string correlation_id = {};
  std::string event_id = {};
  std::string caller_agent = {};
  std::string caller_instance_key = {};
  std::string target = {};
  std::string target_instance_key = {};
  std::string event_type = {};
  std::string metadata = {};  // JSON
  std::string trace_id = {};
  std::string surroundings = {};  // JSON `{origin?, auth?}` of the turn that asked; empty: none
  enum class Mode { Blocking, Async } mode = Mode::Blocking;
  std::int64_t deadline_ms = 0;  // since 1970
};

enum class HandleState { Pending, Ok, Error, Cancelled };

struct HandleRecord {
  std::string handle = {};
  HandleState state = HandleState::Pending;
  std::string agent = {};
  std::string instance_key = {};
  std::string tool_name = {};
  std::string tool_call_id = {};
  std::string output = {};  // JSON; empty: none
  std::string error = {};   // JSON; empty: none
  std::string trace_id = {};
  std::string created_at = {};
  std::string completed_at = {};
  std::string surroundings = {};  // JSON `{origin?, auth?}` of the turn that opened it; empty: none
};

class Journal {
 public:
  static Result<Journal> open(const std::filesystem::path& workspace_folder,
                              const OpenOptions& options = {});
  Journal(Journal&&) noexcept = default;

  enum class Accepted { New, Known };
  // Known: a message with this id was accepted before, whatever has become of it.
  Result<Accepted> accept(const JournalMessage& message);
  // A request: the message to the target and what is known of the request, together.
  Result<Accepted> accept(const JournalMessage& message, const RequestRecord& request);
  Result<std::vector<JournalMessage>> unfinished() const;  // in order of acceptance
  Result<void> count_attempt(std::string_view id);
  // The message is done. Answers that follow from it are accepted in the same transaction, and the
  // request that it answers is forgotten. Once: the second time nothing changes.
  Result<void> finish(std::string_view id, std::string_view correlation_id,
                      const std::optional<JournalMessage>& follow_up);
  // Forgets the request (it timed out, its caller died); `follow_up` as above. If there is no such
  // request nothing changes.
  Result<void> drop_request(std::string_view correlation_id,
                            const std::optional<JournalMessage>& follow_up);
  Result<std::vector<RequestRecord>> requests() const;

  Result<void> put_instance(const InstanceRecord& instance);  // replaces one of the same name
  Result<std::vector<InstanceRecord>> instances() const;      // oldest first
  // The instance, its unfinished messages (their ids stay known) and its handles.
  Result<void> forget_instance(std::string_view agent, std::string_view instance_key);

  // `E_HANDLE_TAKEN` if another instance has it and it is pending. The same again (same instance
  // and call) changes nothing, even if it is closed by now; another call may reuse a closed one's
  // name.
  Result<void> open_handle(const HandleRecord& handle);
  Result<std::optional<HandleRecord>> handle(std::string_view handle) const;
  Result<std::vector<HandleRecord>> handles() const;  // newest first, at most 1,000
  Result<std::int64_t> pending_handles() const;       // how many
  // Completes or cancels a pending handle and accepts the message that tells its agent, together.
  // `E_HANDLE_NOT_FOUND`, `E_HANDLE_CLOSED`.
  Result<void> close_handle(const HandleRecord& closed,
                            const std::optional<JournalMessage>& follow_up);

  // Deletes finished messages and closed handles older than a day.
  Result<void> tidy();

 private:
  explicit Journal(Database database) : database_(std::move(database)) {}
  mutable Database database_;
};

}  // namespace goondan::store
