#include "extension/shipped/call_history.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/json_fields.h"
#include "tool/call_status.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kMaxDepth = 100;

constexpr std::array<std::string_view, 10> kMeasurements{
    "durationMs", "duration",  "elapsedMs", "elapsed", "took",
    "tookMs",     "requestId", "traceId",   "date",    "age"};

enum class Fields { All, WithoutMeasurements };

bool counts(std::string_view key, Fields fields) {
  return fields == Fields::All || std::ranges::find(kMeasurements, key) == kMeasurements.end();
}

// Text that is the same for values that say the same: keys in the order of the alphabet.
void append_canonical(std::string& out, const Json& value, Fields fields, std::size_t depth = 0) {
  if (depth == kMaxDepth || !value.is_structured()) return append_text(out, value);
  if (const JsonArray* array = value.if_array()) {
    out += '[';
    for (const Json& one : *array) {
      append_canonical(out, one, fields, depth + 1);
      out += ',';
    }
    out += ']';
    return;
  }
  std::vector<std::pair<std::string_view, const Json*>> members;
  for (const auto& member : value.get_object()) {
    if (counts(member.key(), fields)) members.emplace_back(member.key(), &member.value());
  }
  std::ranges::sort(members);
  out += '{';
  for (const auto& [key, one] : members) {
    append_quoted(out, key);
    out += ':';
    append_canonical(out, *one, fields, depth + 1);
    out += ',';
  }
  out += '}';
}

std::uint64_t hash(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

}  // namespace

std::uint64_t call_key(std::string_view tool, const Json& arguments) {
  std::string text(tool);
  text += '\n';
  append_canonical(text, arguments, Fields::All);
  return hash(text);
}

std::uint64_t outcome_key(const ToolCallResult& result) {
  std::string text(status_name(result.status));
  if (result.output) append_canonical(text, *result.output, Fields::WithoutMeasurements);
  if (result.error) append_text(text, error_json(*result.error));
  return hash(text);
}

void CallHistory::look_at(const std::string& turn_id) {
  if (turn_id == turn_id_ && calls_.size() < kMaxCalls) return;
  turn_id_ = turn_id;
  calls_.clear();
  refusals_ = 0;
}

bool CallHistory::may_run(const std::string& turn_id, std::uint64_t call) {
  const std::lock_guard lock(mutex_);
  look_at(turn_id);
  const auto found = calls_.find(call);
  if (found == calls_.end()) return true;
  const Repeats& repeats = found->second;
  const bool may =
      repeats.since_progress + 1 < stop_at_ && repeats.in_turn + 1 < stop_at_ * kProgressFactor;
  if (!may) ++refusals_;
  return may;
}

std::size_t CallHistory::note(const std::string& turn_id, std::uint64_t call,
                              std::uint64_t outcome) {
  const std::lock_guard lock(mutex_);
  look_at(turn_id);
  const auto found = calls_.find(call);
  if (found == calls_.end()) {
    for (auto& [key, other] : calls_)
      other.since_progress = std::min<std::size_t>(other.since_progress, 1);
    refusals_ = 0;
    calls_.emplace(call, Repeats{.outcome = outcome, .since_progress = 1, .in_turn = 1});
    return 1;
  }
  Repeats& repeats = found->second;
  if (repeats.outcome != outcome) repeats = {.outcome = outcome, .since_progress = 0, .in_turn = 0};
  ++repeats.in_turn;
  return ++repeats.since_progress;
}

std::size_t CallHistory::refusals(const std::string& turn_id) {
  const std::lock_guard lock(mutex_);
  look_at(turn_id);
  return refusals_;
}

}  // namespace goondan::shipped
