// The texts that the dispatcher puts into messages: turn messages, injections, handles, lists.
//
// Whatever is built here fits into one message of `ipc/message.h`; what would not is cut or refused
// (`E_LIMIT`).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "ipc/message.h"
#include "orchestrator/call_stack.h"
#include "orchestrator/dispatcher.h"
#include "orchestrator/outcome.h"
#include "orchestrator/requests.h"
#include "store/journal.h"

namespace goondan::orchestrator {

// Room for the names, ids and numbers around a payload.
inline constexpr std::size_t kMaxPayloadBytes = ipc::kMaxMessageBytes - (std::size_t{16} << 10);
// Of an answer that does not fit as a whole.
inline constexpr std::size_t kMaxCutAnswerBytes = std::size_t{128} << 10;
// Of what a handle's tool gave: kept, and shown in an injected text.
inline constexpr std::size_t kMaxHandleOutputBytes = std::size_t{512} << 10;
inline constexpr std::size_t kMaxHandleTextCharacters = 8'000;
// Metadata is put inside other values; a receiver reads no deeper than `JsonLimits::max_depth`.
inline constexpr std::size_t kMaxValueDepth = 48;
inline constexpr std::size_t kMaxObservedCharacters = 10'000;

struct NewTurn {
  store::MessageKind kind = store::MessageKind::Turn;
  InstanceName target = {};
  std::string id = {};
  std::string input = {};
  std::string event_type = {};
  JsonObject source = {};
  JsonObject metadata = {};
  std::string trace_id = {};
  std::string parent_span_id = {};  // empty: none
  std::string correlation_id = {};  // of a delegate
  CallStack call_stack = {};
  JsonObject surroundings = {};  // {origin?, auth?}
};

// `E_TOOL_INVALID_ARGS` for an empty input, `E_LIMIT` for what does not fit into one message.
Result<store::JournalMessage> turn_message(const NewTurn& turn);

// The object under `metadata` without the names that the runtime keeps for itself (`__goondan…`).
JsonObject metadata_of(const JsonObject& payload);
Result<void> check_depth(std::string_view what, const Json& value);

// `{origin?, auth?}` of a payload: where a turn came from, and on whose behalf it acts.
JsonObject surroundings_of(const JsonObject& payload);
// The same as the journal keeps it and gives it back; empty text for none.
std::string surroundings_text(const JsonObject& surroundings);
void add_surroundings(JsonObject& payload, std::string_view kept);

JsonObject agent_source(const InstanceName& name);

// The answer to an asynchronous request, as it is injected into the caller's conversation.
// `status` is ok, error or timeout.
store::JournalMessage answer_injection(const Request& request, std::string_view status,
                                       const Outcome& outcome);
// `delegate_result` for a blocking one.
ipc::Message answer_message(const Request& request, const Outcome& outcome);

Json handle_json(const store::HandleRecord& handle);
// The same with at most `kMaxSummaryCharacters` of its output and error.
inline constexpr std::size_t kMaxSummaryCharacters = 500;
Json handle_summary(const store::HandleRecord& handle);
// What became of a handle, for the agent whose tool opened it.
store::JournalMessage handle_injection(const store::HandleRecord& handle);

Json instance_json(const store::InstanceRecord& record);

// `{count, <name>: [...]}`; what does not fit is left out and `truncated` says so.
class ListReply {
 public:
  explicit ListReply(std::string_view name) : name_(name) {}
  void add(Json value);
  [[nodiscard]] Json take();

 private:
  std::string name_;
  JsonArray values_;
  std::size_t bytes_ = 0;
  std::size_t left_out_ = 0;
};

// At most `count` characters, with a note if something was cut.
std::string cut_text(std::string_view text, std::size_t count);

}  // namespace goondan::orchestrator
