#include "cli/view_log.h"

#include <algorithm>

#include "base/json_fields.h"
#include "cli/view_width.h"
#include "cli/view_words.h"

namespace goondan::cli {
namespace {

constexpr std::size_t kStepRight = 2;   // columns for each agent that waits
constexpr std::size_t kLeastRoom = 16;  // for text, however deep it is

}  // namespace

const std::map<std::string_view, ViewLog::Handler>& ViewLog::handlers() {
  static const std::map<std::string_view, Handler> kHandlers{
      {"turn.started", &ViewLog::turn_started},
      {"turn.completed", &ViewLog::turn_completed},
      {"turn.failed", &ViewLog::turn_failed},
      {"turn.interrupted", &ViewLog::turn_interrupted},
      {"model.retry", &ViewLog::model_retry},
      {"message.delta", &ViewLog::message_delta},
      {"message.text", &ViewLog::message_text},
      {"message.injected", &ViewLog::message_injected},
      {"tool.called", &ViewLog::tool_called},
      {"tool.log", &ViewLog::tool_log},
      {"extension.log", &ViewLog::extension_log},
      {"tool.completed", &ViewLog::tool_completed},
      {"handle.completed", &ViewLog::handle_ended},
      {"handle.cancelled", &ViewLog::handle_ended},
      {"agent.exited", &ViewLog::agent_exited},
      {"agent.backoff", &ViewLog::agent_backoff},
      {"delegate.sent", &ViewLog::delegate_sent},
      {"delegate.answered", &ViewLog::delegate_answered},
      {"auth.required", &ViewLog::auth_required},
      {"auth.ended", &ViewLog::auth_ended},
      {"runtime.problem", &ViewLog::runtime_problem},
      {"bundle.changed", &ViewLog::bundle_changed},
      {"bundle.rejected", &ViewLog::bundle_rejected}};
  return kHandlers;
}

std::vector<Line> ViewLog::observe(const JsonObject& observation, std::size_t room) {
  room_ = room;
  const auto handler = handlers().find(text_field(observation, "type"));
  if (handler != handlers().end()) (this->*handler->second)(observation, speaker(observation));
  if (!out_.empty()) begun_ = true;
  return std::exchange(out_, {});
}

std::vector<Line> ViewLog::say(std::string_view text, Style style, std::size_t room) {
  last_ = nullptr;
  std::vector<Line> lines;
  for (std::string& row : wrapped(clean_text(text), std::max(room, kLeastRoom)))
    lines.push_back({{.text = std::move(row), .style = style}});
  return lines;
}

std::vector<Line> ViewLog::partial(std::size_t room) const {
  if (floor_ == nullptr || floor_->stream.empty()) return {};
  std::vector<Line> lines;
  if (last_ != floor_) lines.push_back(head(*floor_));
  Line row{{.text = std::string(indent(*floor_), ' ')}};
  const std::size_t left = std::max(room, indent(*floor_) + kLeastRoom) - indent(*floor_);
  row.add(floor_->stream.partial(left));
  lines.push_back(std::move(row));
  return lines;
}

std::vector<Line> ViewLog::reset(std::size_t room) {
  room_ = room;
  for (auto& [member, speaker] : speakers_) {
    finish_text(speaker);
    speaker.calls.clear();
  }
  return std::exchange(out_, {});
}

ViewLog::Speaker& ViewLog::speaker(const JsonObject& observation) {
  const bool named = !text_field(observation, "agentName").empty();
  return speaker(named ? cast_.of(observation) : nobody_);
}

ViewLog::Speaker& ViewLog::speaker(Member& member) {
  Speaker& found = speakers_[&member];
  found.member = &member;
  return found;
}

std::size_t ViewLog::indent(const Speaker& speaker) const {
  return kStepRight * (speaker.member->depth + 1);
}

std::size_t ViewLog::text_room(const Speaker& speaker) const {
  const std::size_t left = indent(speaker);
  return std::max(room_, left + kLeastRoom) - left;
}

Line ViewLog::head(const Speaker& speaker) {
  Line line{{.text = std::string(kStepRight * speaker.member->depth, ' ')}};
  line.add("▌ " + speaker.member->name, speaker.member->colour);
  return line;
}

void ViewLog::put(Speaker& speaker, Line content) {
  if (last_ != &speaker) out_.push_back(head(speaker));
  last_ = &speaker;
  content.spans.insert(content.spans.begin(), {.text = std::string(indent(speaker), ' ')});
  out_.push_back(std::move(content));
}

void ViewLog::put_rows(Speaker& speaker, std::vector<std::string> rows, Style style) {
  for (std::string& row : rows) {
    if (row.empty() && last_ == &speaker) {
      out_.emplace_back();  // no spaces at the end of a line
    } else {
      put(speaker, {{.text = std::move(row), .style = style}});
    }
  }
}

// What the speaker has written so far is shown, whoever else writes.
void ViewLog::finish_text(Speaker& speaker) {
  put_rows(speaker, speaker.stream.take_rest(text_room(speaker)));
  speaker.stream = {};
  if (floor_ == &speaker) floor_ = nullptr;
}

}  // namespace goondan::cli
