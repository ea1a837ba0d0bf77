// The state of one agent instance: its conversation, the turn that runs, its calls, what waits to
// be injected, whole outputs, and spans. The file `state.db`.
//
// One process owns an instance at a time (`lock`, held while this is open); others may read. All
// JSON goes in and out as text. Thread-safe: calls of one step end on several threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "store/database.h"

namespace goondan::store {

struct StoredMessage {
  std::string id = {};
  std::string json = {};
};

enum class EventType { Append, Replace, Remove, Truncate };

// A change to the conversation. `Append`: `message`; `Replace`: `target_id` and `message`;
// `Remove`: `target_id`; `Truncate`: nothing.
struct MessageEvent {
  EventType type = EventType::Append;
  StoredMessage message = {};
  std::string target_id = {};
};

enum class TurnState { Running, Done };

struct TurnRecord {
  std::string turn_id = {};
  std::string message_id = {};  // of the message it answers; unique
  std::string trace_id = {};
  std::string span_id = {};
  TurnState state = TurnState::Running;
  std::string message = {};  // the turn message as it came, JSON; empty once it is done
  std::string outcome = {};  // JSON, once it is done
  std::int64_t steps = 0;    // model calls that were answered
  std::string started_at = {};
};

enum class CallState { Begun, Done };

struct CallRecord {
  std::string call_id = {};
  std::string tool_name = {};
  CallState state = CallState::Begun;
  std::string result = {};  // JSON of the result, once it is done
};

struct Injection {
  std::string id = {};
  std::string json = {};
};

struct SpanRecord {
  std::string trace_id = {};
  std::string span_id = {};
  std::string parent_id = {};   // empty: none
  std::string name = {};        // e.g. "execute_tool bash__exec"
  std::int64_t start_ns = 0;    // since 1970
  std::int64_t end_ns = 0;      // 0: not ended yet
  std::string status = "ok";    // ok | error
  std::string attributes = {};  // a JSON object
};

// What is kept beside the conversation. Older turns are forgotten with their spans; then a message
// that comes again would be new, but none comes again after so many others.
inline constexpr std::size_t kKeptTurns = 1'000;
inline constexpr std::size_t kKeptInjections = 1'000;  // ids of used ones
inline constexpr std::size_t kKeptOutputs = 200;
inline constexpr std::size_t kKeptOutputBytes = std::size_t{64} << 20;  // one may be larger

class InstanceStore {
 public:
  // Makes the folder and the database if need be, and takes the lock, waiting for it until
  // `deadline` (it is tried again every few milliseconds). `E_STORE_BUSY` if another process keeps
  // it.
  static Result<std::unique_ptr<InstanceStore>> open(const std::filesystem::path& folder,
                                                     Deadline deadline,
                                                     const OpenOptions& options = {});
  // For looking only, beside the owner, also where nothing can be written; no lock. `E_NOT_FOUND`
  // if there is no such instance.
  static Result<std::unique_ptr<InstanceStore>> open_for_reading(
      const std::filesystem::path& folder);
  ~InstanceStore();

  // What the conversation was at the end of the last turn, and what has changed since.
  Result<std::vector<StoredMessage>> base() const;
  Result<std::vector<MessageEvent>> events() const;
  // All or none, in one transaction.
  Result<void> append(std::span<const MessageEvent> events);
  // Like `append`, and counts a step of the turn: the answer of a model. `E_NOT_FOUND` if no such
  // turn runs.
  Result<void> append_step(std::string_view turn_id, std::span<const MessageEvent> events);

  Result<std::optional<TurnRecord>> find_turn(std::string_view message_id) const;
  Result<std::optional<TurnRecord>> running_turn() const;
  // The turn and its first events, together.
  Result<void> begin_turn(const TurnRecord& turn, std::span<const MessageEvent> events);
  // Adds `events`, folds all events into the base, stores the outcome, forgets the turn's calls:
  // one transaction. An event whose target is gone changes nothing. `E_NOT_FOUND` if no such turn
  // runs. `spans` are added with it; every few times, what is older than `kKeptTurns` goes.
  Result<void> finish_turn(std::string_view turn_id, std::string_view outcome,
                           std::span<const MessageEvent> events,
                           std::span<const SpanRecord> spans = {});

  // A call that is begun again (it is run anew) loses its result and keeps its place.
  Result<void> begin_call(std::string_view turn_id, const CallRecord& call);
  // `E_NOT_FOUND` if it was not begun.
  Result<void> end_call(std::string_view turn_id, std::string_view call_id,
                        std::string_view result);
  Result<std::vector<CallRecord>> calls(std::string_view turn_id) const;  // in order of beginning
  // The results of one step become messages; its calls are forgotten.
  Result<void> append_results(std::string_view turn_id, std::span<const MessageEvent> events);

  enum class Added { New, Known };
  // Known: it has come before, whether it has been used or not.
  Result<Added> add_injection(const Injection& injection);
  Result<std::vector<Injection>> injections() const;  // that have not been used, in order
  // They become messages.
  Result<void> use_injections(std::span<const Injection> used,
                              std::span<const MessageEvent> events);

  // The oldest go: see `kKeptOutputs`.
  Result<void> keep_output(std::string_view handle, std::string_view text);
  Result<std::optional<std::string>> output(std::string_view handle) const;

  // What an extension keeps for this instance; nothing if it never did.
  Result<std::optional<std::string>> extension_state(std::string_view extension) const;
  Result<void> set_extension_state(std::string_view extension, std::string_view json);

  Result<void> add_span(const SpanRecord& span);
  Result<void> add_spans(std::span<const SpanRecord> spans);  // all or none
  Result<std::vector<SpanRecord>> spans(std::string_view trace_id) const;
  struct TraceSummary {
    std::string trace_id = {};
    std::string name = {};  // of its first span here
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t spans = 0;
  };
  Result<std::vector<TraceSummary>> traces(std::size_t limit) const;  // newest first

 private:
  struct State;
  explicit InstanceStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace goondan::store
