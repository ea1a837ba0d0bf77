// The conversation of one agent instance: a base and events on disk, the messages that follow from
// them in memory.
//
// A change is in the store before it is in memory; one that the store refuses happened in neither.
// Confined to the thread that runs the turn. Borrows the store.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "extension/contexts.h"
#include "store/instance_store.h"

namespace goondan::agent {

class Conversation final : public ConversationView {
 public:
  // Is told of a `replace` or `remove` whose target is not there.
  using MissingTarget = std::function<void(std::string_view change, const std::string& id)>;

  // `E_STORE_CORRUPT` if a message cannot be read.
  static Result<Conversation> load(store::InstanceStore& store, MissingTarget missing);

  [[nodiscard]] const std::vector<Message>& messages() const override { return messages_; }

  // A message without an id gets one. Refuses what is no message.
  Result<void> append(Message message) override;
  Result<void> replace(const std::string& id, Message message) override;
  Result<void> remove(const std::string& id) override;
  Result<void> truncate() override;

  // The messages that come with a change of the turn, in the same transaction.
  Result<void> begin_turn(const store::TurnRecord& turn, std::vector<Message> messages);
  Result<void> add_step(const std::string& turn_id, Message message);
  // The last answer of a turn: in memory now, in the store with the end of the turn, which must be
  // the next thing that is written.
  void hold_last(Message message);
  Result<void> add_results(const std::string& turn_id, std::vector<Message> messages);
  Result<void> add_injections(std::span<const store::Injection> used,
                              std::vector<Message> messages);
  struct TurnEnd {
    const std::string& turn_id;
    std::string outcome;
    std::vector<Message> messages;
    std::vector<store::SpanRecord> spans;
  };
  Result<void> finish_turn(TurnEnd end);

  // Whether calls and results belong together as `paired` says.
  [[nodiscard]] bool is_paired();

  // Whether a call has ever had this id here.
  [[nodiscard]] bool knows_call(const std::string& id) const { return known_calls_.contains(id); }

  // Whether a result was ever cut, or a handle opened.
  [[nodiscard]] bool has_cut_result() const { return has_cut_result_; }
  [[nodiscard]] bool has_handle() const { return has_handle_; }

 private:
  Conversation(store::InstanceStore& store, MissingTarget missing)
      : store_(&store), missing_(std::move(missing)) {}

  using Events = std::span<const store::MessageEvent>;
  using Write = std::function<Result<void>(Events)>;
  Result<void> add(std::vector<Message> messages, const Write& write);
  Result<void> apply(const store::MessageEvent& event);
  Result<void> read(const store::StoredMessage& stored);
  void keep(Message message);
  void learn(const Message& message);
  std::vector<Message>::iterator find(const std::string& id);

  store::InstanceStore* store_;
  MissingTarget missing_;
  std::vector<Message> messages_;
  std::vector<store::MessageEvent> held_;  // what is in memory and not in the store
  std::size_t paired_ = 0;  // so many messages from the first on need not be looked at again
  std::unordered_set<std::string> known_calls_;
  bool has_cut_result_ = false;
  bool has_handle_ = false;
};

}  // namespace goondan::agent
