#include "agent/conversation.h"

#include "agent/large_results.h"
#include "agent/pairing.h"
#include "agent/stored_message.h"
#include "base/json_fields.h"

namespace goondan::agent {
namespace {

std::vector<store::MessageEvent> append_events(const std::vector<Message>& messages) {
  std::vector<store::MessageEvent> events;
  events.reserve(messages.size());
  for (const Message& message : messages) {
    events.push_back({.type = store::EventType::Append, .message = to_stored(message)});
  }
  return events;
}

}  // namespace

Result<Conversation> Conversation::load(store::InstanceStore& store, MissingTarget missing) {
  Conversation made(store, std::move(missing));
  const std::vector<store::StoredMessage> base = GDN_TRY(store.base());
  made.messages_.reserve(base.size());
  for (const store::StoredMessage& message : base) {
    GDN_TRY(made.read(message));
  }
  const std::vector<store::MessageEvent> events = GDN_TRY(store.events());
  for (const store::MessageEvent& event : events) {
    GDN_TRY(made.apply(event));
  }
  return made;
}

Result<void> Conversation::read(const store::StoredMessage& message) {
  keep(GDN_TRY(from_stored(message)));
  return {};
}

Result<void> Conversation::apply(const store::MessageEvent& event) {
  switch (event.type) {
    case store::EventType::Append:
      return read(event.message);
    case store::EventType::Truncate:
      messages_.clear();
      return {};
    case store::EventType::Replace:
    case store::EventType::Remove:
      break;
  }
  const auto found = find(event.target_id);
  if (found == messages_.end()) return {};
  if (event.type == store::EventType::Remove) {
    messages_.erase(found);
    return {};
  }
  *found = GDN_TRY(from_stored(event.message));
  learn(*found);
  return {};
}

void Conversation::keep(Message message) {
  learn(message);
  messages_.push_back(std::move(message));
}

void Conversation::learn(const Message& message) {
  for (const std::string_view id : call_ids(message)) {
    known_calls_.emplace(id);
  }
  if (message.role() != Role::Tool) return;
  has_cut_result_ = has_cut_result_ || message.metadata.contains(kCutKey);
  has_handle_ = has_handle_ || text_field(object_or_empty(message.data), "status") == "pending";
}

bool Conversation::is_paired() {
  if (!paired(std::span(messages_).subspan(paired_))) return false;
  paired_ = messages_.size();
  return true;
}

std::vector<Message>::iterator Conversation::find(const std::string& id) {
  return std::ranges::find(messages_, id, &Message::id);
}

Result<void> Conversation::add(std::vector<Message> messages, const Write& write) {
  std::vector<store::MessageEvent> events = held_;
  std::ranges::move(append_events(messages), std::back_inserter(events));
  GDN_TRY(write(events));
  held_.clear();
  for (Message& message : messages) {
    keep(std::move(message));
  }
  return {};
}

Result<void> Conversation::append(Message message) {
  GDN_TRY(make_storable(message));
  std::vector<Message> one;
  one.push_back(std::move(message));
  return add(std::move(one), [this](Events events) { return store_->append(events); });
}

Result<void> Conversation::replace(const std::string& id, Message message) {
  GDN_TRY(make_storable(message));
  const auto found = find(id);
  if (found == messages_.end()) {
    missing_("replace", id);
    return {};
  }
  const store::MessageEvent event{
      .type = store::EventType::Replace, .message = to_stored(message), .target_id = id};
  GDN_TRY(store_->append({&event, 1}));
  learn(message);
  *found = std::move(message);
  paired_ = 0;
  return {};
}

Result<void> Conversation::remove(const std::string& id) {
  const auto found = find(id);
  if (found == messages_.end()) {
    missing_("remove", id);
    return {};
  }
  const store::MessageEvent event{.type = store::EventType::Remove, .target_id = id};
  GDN_TRY(store_->append({&event, 1}));
  messages_.erase(found);
  paired_ = 0;
  return {};
}

Result<void> Conversation::truncate() {
  const store::MessageEvent event{.type = store::EventType::Truncate};
  GDN_TRY(store_->append({&event, 1}));
  messages_.clear();
  paired_ = 0;
  return {};
}

Result<void> Conversation::begin_turn(const store::TurnRecord& turn,
                                      std::vector<Message> messages) {
  return add(std::move(messages), [&](Events events) { return store_->begin_turn(turn, events); });
}

Result<void> Conversation::add_step(const std::string& turn_id, Message message) {
  std::vector<Message> one;
  one.push_back(std::move(message));
  return add(std::move(one), [&](Events events) { return store_->append_step(turn_id, events); });
}

void Conversation::hold_last(Message message) {
  held_.push_back({.type = store::EventType::Append, .message = to_stored(message)});
  keep(std::move(message));
}

Result<void> Conversation::add_results(const std::string& turn_id, std::vector<Message> messages) {
  return add(std::move(messages),
             [&](Events events) { return store_->append_results(turn_id, events); });
}

Result<void> Conversation::add_injections(std::span<const store::Injection> used,
                                          std::vector<Message> messages) {
  return add(std::move(messages),
             [&](Events events) { return store_->use_injections(used, events); });
}

Result<void> Conversation::finish_turn(TurnEnd end) {
  return add(std::move(end.messages), [&](Events events) {
    return store_->finish_turn(end.turn_id, end.outcome, events, end.spans);
  });
}

}  // namespace goondan::agent
