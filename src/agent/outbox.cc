#include "agent/outbox.h"

#include <algorithm>
#include <array>

#include "agent/bounded_text.h"
#include "base/ids.h"
#include "base/json_fields.h"

namespace goondan::agent {
namespace {

constexpr std::string_view kDelta = "message.delta";
constexpr std::size_t kCutTextBytes = 2'000;
constexpr std::string_view kCutMark = "... (cut)";

bool is_light(std::string_view type) {
  constexpr std::array<std::string_view, 4> kLight{kDelta, "tool.progress", "tool.log",
                                                   "extension.log"};
  return std::ranges::find(kLight, type) != kLight.end();
}

JsonString cut(std::string_view text) {
  JsonString shorter(byte_prefix(text, kCutTextBytes));
  shorter.append(kCutMark);
  return shorter;
}

// Not deeper than `kMaxSentLevels`: the caller has seen to it.
void cut_texts(Json& value) {
  if (value.is_string() && value.get_string().size() > kCutTextBytes) {
    value = cut(value.get_string());
  } else if (value.is_array()) {
    for (Json& item : value.get_array())
      cut_texts(item);
  } else if (value.is_object()) {
    for (auto& field : value.get_object())
      cut_texts(field.value());
  }
}

std::size_t size_of(const JsonObject& object) {
  return to_text(object).size();
}

// The fields that are no more than a word or a number.
JsonObject scalars_of(const JsonObject& object) {
  JsonObject kept;
  for (const auto& field : object) {
    const Json& value = field.value();
    const bool small =
        value.is_primitive() && (!value.is_string() || value.get_string().size() <= kCutTextBytes);
    if (small && kept.size() < kMaxSentLevels) kept.emplace(field.key(), value);
  }
  return kept;
}

}  // namespace

JsonObject bounded_observation(JsonObject observation) {
  for (auto& field : observation) {
    if (deeper_than(field.value(), kMaxSentLevels)) field.value() = cut(to_text(field.value()));
  }
  if (size_of(observation) <= kMaxObservationBytes) return observation;
  for (auto& field : observation)
    cut_texts(field.value());
  if (size_of(observation) <= kMaxObservationBytes) return observation;
  return scalars_of(observation);
}

Outbox::Outbox(Link& link, Names names, std::shared_ptr<const Redactor> redactor)
    : link_(link),
      names_(std::move(names)),
      redactor_(std::move(redactor)),
      sender_([this](const std::stop_token& stop) { run(stop); }) {}

Outbox::~Outbox() = default;

// Whether the piece became part of the last one.
bool Outbox::merge_delta(const JsonObject& observation) {
  if (pending_.empty() || text_field(observation, "type") != kDelta) return false;
  Pending& last = pending_.back();
  if (text_field(last.observation, "type") != kDelta || last.bytes > kMaxDeltaBytes) return false;
  for (const std::string_view key : {"turnId", "spanId"}) {
    if (any_field(last.observation, key) != any_field(observation, key)) return false;
  }
  Json* text = last.observation.if_contains("text");
  const Json* more = observation.if_contains("text");
  if (text == nullptr || more == nullptr || !text->is_string() || !more->is_string()) return false;
  text->get_string().append(more->get_string());
  last.bytes += more->get_string().size();
  bytes_ += more->get_string().size();
  return true;
}

void Outbox::observe(JsonObject observation) {
  const std::string type = text_field(observation, "type");
  JsonObject whole{{"type", type},
                   {"timestamp", iso_now()},
                   {"agentName", names_.agent},
                   {"instanceKey", names_.instance_key}};
  whole.insert(observation.begin(), observation.end());
  whole = bounded_observation(std::move(whole));
  const std::size_t size = size_of(whole);
  const std::lock_guard lock(mutex_);
  const std::size_t limit = is_light(type) ? kMaxPendingBytes : kMaxPendingAtAll;
  if (bytes_ + size > limit || merge_delta(whole)) return;
  pending_.push_back({.observation = std::move(whole), .bytes = size});
  bytes_ += size;
  if (pending_.size() == 1 || bytes_ >= kMaxBatchBytes) wake_.notify_one();
}

JsonArray Outbox::take_batch() {
  JsonArray batch;
  std::size_t taken = 0;
  const std::lock_guard lock(mutex_);
  while (!pending_.empty() && taken < kMaxBatchBytes) {
    Pending& next = pending_.front();
    taken += next.bytes;
    batch.emplace_back(std::move(next.observation));
    pending_.pop_front();
  }
  bytes_ -= taken;
  return batch;
}

Result<void> Outbox::flush() {
  const std::lock_guard sending(send_mutex_);
  while (true) {
    Json batch = take_batch();
    if (batch.get_array().empty()) return {};
    if (redactor_) redactor_->redact(batch);
    const Result<void> sent = link_.send_event("observe", {{"events", std::move(batch)}});
    // One that is too large in spite of all limits is nobody's loss but its own.
    if (!sent.ok() && sent.error().code != ErrorCode::Limit) return sent.error();
  }
}

void Outbox::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [this] { return !pending_.empty(); })) {
    wake_.wait_for(lock, stop, kBatchTime, [this] { return bytes_ >= kMaxBatchBytes; });
    if (stop.stop_requested()) return;
    lock.unlock();
    const Result<void> sent = flush();
    if (!sent.ok()) return;  // the reader of the socket notices as well
    lock.lock();
  }
}

}  // namespace goondan::agent
