#include "cli/view_activity.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json_fields.h"
#include "cli/view_words.h"

namespace goondan::cli {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr std::array<std::string_view, 10> kSpinner{"⠋", "⠙", "⠹", "⠸", "⠼",
                                                    "⠴", "⠦", "⠧", "⠇", "⠏"};
constexpr milliseconds kSpinnerStep{100};
constexpr std::size_t kBarColumns = 10;
// What is remembered of each kind; no view can show so many.
constexpr std::size_t kMaxRemembered = 10'000;

std::string spinner(Deadline now) {
  const auto steps = duration_cast<milliseconds>(now.time_since_epoch()) / kSpinnerStep;
  return std::string(kSpinner[static_cast<std::size_t>(steps) % kSpinner.size()]);
}

// Always in seconds below a minute, so that the line does not change its width all the time.
std::string elapsed(Deadline since, Deadline now) {
  const auto passed = duration_cast<milliseconds>(now - since);
  if (passed >= std::chrono::seconds(1)) return duration_text(passed);
  return "0." + std::to_string(std::max<std::int64_t>(passed.count(), 0) / 100) + " s";
}

// Whole seconds, the one that has begun included.
std::string countdown(Deadline until, Deadline now) {
  const auto left =
      std::chrono::ceil<std::chrono::seconds>(std::max(until - now, Clock::duration{}));
  return std::to_string(left.count()) + " s";
}

double number_field(const JsonObject& object, std::string_view key) {
  const Json value = any_field(object, key);
  return value.is_number() ? value.to_number<double>() : 0;
}

std::string progress_text(const Progress& progress) {
  std::string out;
  const double share = progress.done / progress.total;
  if (progress.total > 0 && std::isfinite(share)) {
    const double bounded = std::clamp(share, 0.0, 1.0);
    const auto filled = static_cast<std::size_t>(bounded * kBarColumns);
    out = std::to_string(static_cast<int>(bounded * 100)) + " % ";
    for (std::size_t i = 0; i < kBarColumns; ++i)
      out += i < filled ? "█" : "░";
  }
  if (!progress.text.empty()) out += (out.empty() ? "" : "  ") + progress.text;
  return out;
}

}  // namespace

ViewActivity::Worker& ViewActivity::worker(const JsonObject& observation) {
  Member& member = cast_.of(observation);
  const auto found = std::ranges::find(workers_, &member, &Worker::member);
  if (found != workers_.end()) return *found;
  workers_.push_back({.member = &member});
  return workers_.back();
}

void ViewActivity::reset() {
  workers_.clear();
  waiting_.clear();
}

void ViewActivity::observe(const JsonObject& observation, Deadline now) {
  const std::string type = text_field(observation, "type");
  if (type == "message.accepted") {
    if (waiting_.size() < kMaxRemembered) waiting_.insert(text_field(observation, "id"));
  } else if (type == "handle.opened") {
    if (handles_.size() < kMaxRemembered) handles_.insert(text_field(observation, "handle"));
  } else if (type == "handle.completed" || type == "handle.cancelled") {
    handles_.erase(text_field(observation, "handle"));
  } else if (type == "runtime.idle") {
    reset();
  } else if (text_field(observation, "agentName").empty()) {
    return;
  } else if (type.starts_with("tool.")) {
    observe_call(type, observation, now);
  } else {
    observe_turn(type, observation, now);
  }
}

void ViewActivity::observe_turn(const std::string& type, const JsonObject& observation,
                                Deadline now) {
  using Doing = Worker::Doing;
  const auto change = [&](Doing doing) {
    Worker& one = worker(observation);
    if (one.doing != doing) one.since = now;
    one.doing = doing;
    return &one;
  };
  if (type == "turn.started") {
    waiting_.erase(text_field(observation, "id"));
    change(Doing::Nothing);
    change(Doing::Thinking)->calls.clear();
  } else if (type == "step.started") {
    change(Doing::Thinking)->since = now;
  } else if (type == "message.delta") {
    change(Doing::Writing);
  } else if (type == "message.text" || type == "step.completed") {
    change(Doing::Thinking);
  } else if (type == "model.retry" || type == "agent.backoff") {
    Worker* const one = change(type == "model.retry" ? Doing::Waiting : Doing::Restarting);
    one->until = now + milliseconds(integer_field(observation, "waitMs").value_or(0));
    one->attempt = integer_field(observation, "attempt").value_or(0);
  } else if (type.starts_with("turn.")) {  // completed, failed, interrupted
    change(Doing::Nothing)->calls.clear();
  } else if (type == "agent.exited") {
    Worker* const one = &worker(observation);
    one->calls.clear();
    if (one->doing != Doing::Restarting) one->doing = Doing::Nothing;
  }
}

void ViewActivity::observe_call(const std::string& type, const JsonObject& observation,
                                Deadline now) {
  std::vector<Call>& calls = worker(observation).calls;
  const std::string id = text_field(observation, "toolCallId");
  const auto found = std::ranges::find(calls, id, &Call::id);
  if (type == "tool.called") {
    if (calls.size() >= kMaxRemembered) return;
    calls.push_back({.id = id,
                     .name = one_line(text_field(observation, "toolName")),
                     .arguments = arguments_text(any_field(observation, "args")),
                     .since = now});
  } else if (found == calls.end()) {
    return;
  } else if (type == "tool.progress") {
    found->progress = {.done = number_field(observation, "done"),
                       .total = number_field(observation, "total"),
                       .text = one_line(text_field(observation, "text"))};
  } else if (type == "tool.completed") {
    calls.erase(found);
  }
}

Line ViewActivity::begin_line(const Worker& one, Deadline now) const {
  Line line{{.text = spinner(now) + " ", .style = Style::Cyan}};
  line.add(one.member->name + "  ", one.member->colour);
  return line;
}

Line ViewActivity::call_line(const Worker& one, const Call& call, Deadline now) const {
  Line line = begin_line(one, now);
  line.add(call.name);
  const std::string progress = progress_text(call.progress);
  const std::string& detail = progress.empty() ? call.arguments : progress;
  if (!detail.empty()) line.add("  " + detail, Style::Dim, Span::Cut::First);
  line.add("  " + elapsed(call.since, now), Style::Dim);
  return line;
}

std::optional<Line> ViewActivity::state_line(const Worker& one, Deadline now) const {
  using Doing = Worker::Doing;
  Line line = begin_line(one, now);
  switch (one.doing) {
    case Doing::Nothing:
      return std::nullopt;
    case Doing::Thinking:
      line.add("thinks  " + elapsed(one.since, now), Style::Dim);
      break;
    case Doing::Writing:
      line.add("writes  " + elapsed(one.since, now), Style::Dim);
      break;
    case Doing::Waiting:
      line.add("asks the model again in " + countdown(one.until, now) + " (attempt " +
                   std::to_string(one.attempt) + ")",
               Style::Yellow);
      break;
    case Doing::Restarting:
      line.add("starts again in " + countdown(one.until, now), Style::Yellow);
      break;
  }
  return line;
}

std::vector<Line> ViewActivity::all_lines(Deadline now) const {
  std::vector<Line> lines;
  for (const Worker& one : workers_) {
    for (const Call& call : one.calls)
      lines.push_back(call_line(one, call, now));
    if (!one.calls.empty()) continue;
    if (std::optional<Line> line = state_line(one, now)) lines.push_back(*std::move(line));
  }
  return lines;
}

std::vector<Line> ViewActivity::lines(Deadline now, std::size_t rows) const {
  std::vector<Line> shown = all_lines(now);
  std::string rest;
  if (!waiting_.empty()) {
    rest = counted(static_cast<std::int64_t>(waiting_.size()), "message") + " waiting";
  }
  if (!handles_.empty()) {
    rest += (rest.empty() ? "" : " · ") +
            counted(static_cast<std::int64_t>(handles_.size()), "result") + " pending";
  }
  const std::size_t room = std::max<std::size_t>(rows, 2) - (rest.empty() ? 0 : 1);
  if (shown.size() > room) {
    const std::size_t hidden = shown.size() - room + 1;
    shown.resize(room - 1);
    shown.push_back({{.text = "  … and " + std::to_string(hidden) + " more", .style = Style::Dim}});
  }
  if (!rest.empty() && !(shown.empty() && waiting_.empty())) {
    shown.push_back({{.text = "  " + rest, .style = Style::Dim}});
  }
  return shown;
}

std::string ViewActivity::running_calls() const {
  std::string out;
  for (const Worker& one : workers_) {
    for (const Call& call : one.calls) {
      out += (out.empty() ? "" : ", ") + call.name + " (" + one.member->name + ")";
    }
  }
  return out;
}

}  // namespace goondan::cli
