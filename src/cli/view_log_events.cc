// What each observation looks like in the log.
#include <algorithm>
#include <iterator>

#include "base/json_fields.h"
#include "cli/view_log.h"
#include "cli/view_width.h"
#include "cli/view_words.h"

namespace goondan::cli {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxErrorRows = 4;
constexpr std::size_t kMaxHandoffs = 1'000;  // that have not begun, to one instance

milliseconds time_field(const JsonObject& object, std::string_view key) {
  return milliseconds(integer_field(object, key).value_or(0));
}

Error error_of(const JsonObject& observation) {
  return error_from(any_field(observation, "error"));
}

std::vector<std::string> at_most(std::vector<std::string> rows, std::size_t count) {
  if (rows.size() <= count) return rows;
  rows.resize(count);
  rows.back() += " …";
  return rows;
}

}  // namespace

void ViewLog::put_error(Speaker& speaker, const JsonObject& observation) {
  const Error error = error_of(observation);
  const std::size_t room = text_room(speaker) - std::size_t{2};
  std::vector<std::string> rows = at_most(wrapped(error_line(error), room), kMaxErrorRows);
  for (std::string& row : rows)
    put(speaker, {{.text = "  "}, {.text = std::move(row), .style = Style::Red}});
}

void ViewLog::turn_started(const JsonObject& observation, Speaker& speaker) {
  finish_text(speaker);
  cast_.place(*speaker.member, observation);
  speaker.last_text.clear();
  speaker.calls.clear();
  if (speaker.member->depth > 0) put_handoffs(speaker);
  if (speaker.member->depth == 0 && begun_) out_.emplace_back();
  Line line = head(speaker);
  line.add("  ");
  line.add(one_line(text_field(observation, "input")), Style::Bold, Span::Cut::First);
  if (true_field(observation, "resumed")) line.add("  (resumed)", Style::Dim);
  out_.push_back(std::move(line));
  last_ = &speaker;
}

void ViewLog::turn_completed(const JsonObject& observation, Speaker& speaker) {
  finish_text(speaker);
  const std::string response = text_field(observation, "response");
  if (response != speaker.last_text) {
    put_rows(speaker, wrapped(clean_text(response), text_room(speaker)));
  }
  speaker.last_text.clear();
  if (text_field(observation, "finishReason") == "max_steps") {
    const std::int64_t steps = integer_field(observation, "stepCount").value_or(0);
    put(speaker, {{.text = "! stopped after " + counted(steps, "step") + ": maxStepsPerTurn",
                   .style = Style::Yellow}});
  }
}

void ViewLog::turn_failed(const JsonObject& observation, Speaker& speaker) {
  finish_text(speaker);
  const Error error = error_of(observation);
  const std::size_t room = text_room(speaker);
  put_rows(speaker, at_most(wrapped("✗ " + error_line(error), room), 2 * kMaxErrorRows),
           Style::Red);
  if (error.suggestion.empty()) return;
  put_rows(speaker, at_most(wrapped("hint: " + one_line(error.suggestion), room), kMaxErrorRows),
           Style::Cyan);
}

void ViewLog::turn_interrupted(const JsonObject& observation, Speaker& speaker) {
  finish_text(speaker);
  put(speaker, {{.text = "! interrupted: " + one_line(text_field(observation, "reason")),
                 .style = Style::Yellow}});
}

void ViewLog::model_retry(const JsonObject& observation, Speaker& speaker) {
  finish_text(speaker);  // what has come of the answer is void, and the next line says so
  speaker.last_text.clear();
  Line line{{.text = "↻ asking the model again in " +
                     duration_text(time_field(observation, "waitMs")) + ": ",
             .style = Style::Yellow}};
  line.add(error_line(error_of(observation)), Style::Yellow);
  put(speaker, std::move(line));
}

void ViewLog::message_delta(const JsonObject& observation, Speaker& speaker) {
  const std::string text = text_field(observation, "text");
  if (speaker.stream.fresh()) speaker.last_text.clear();
  speaker.last_text += text;
  speaker.stream.append(text);
  if (floor_ == nullptr) floor_ = &speaker;
  if (floor_ == &speaker) put_rows(speaker, speaker.stream.take_rows(text_room(speaker)));
}

void ViewLog::message_text(const JsonObject& observation, Speaker& speaker) {
  speaker.last_text = text_field(observation, "text");
  speaker.stream.complete(speaker.last_text);
  finish_text(speaker);
}

void ViewLog::message_injected(const JsonObject& observation, Speaker& speaker) {
  const JsonObject* const source = object_field(observation, "source");
  Line line{{.text = "↩ "}};
  if (source != nullptr) line.add(one_line(text_field(*source, "name")) + ": ");
  line.add(one_line(text_field(observation, "text")), Style::Dim, Span::Cut::First);
  put(speaker, std::move(line));
}

void ViewLog::tool_called(const JsonObject& observation, Speaker& speaker) {
  finish_text(speaker);
  speaker.calls[text_field(observation, "toolCallId")] =
      arguments_text(any_field(observation, "args"));
}

void ViewLog::tool_log(const JsonObject& observation, Speaker& speaker) {
  const std::string level = text_field(observation, "level");
  if (level == "debug") return;
  const bool grave = level == "warn" || level == "error";
  put(speaker, {{.text = "  " + one_line(text_field(observation, "text")),
                 .style = grave ? Style::Yellow : Style::Dim}});
}

// What an extension says for information is for the log, not for whoever talks to the agent.
void ViewLog::extension_log(const JsonObject& observation, Speaker& speaker) {
  const std::string level = text_field(observation, "level");
  if (level != "warn" && level != "error") return;
  put(speaker, {{.text = "  " + one_line(text_field(observation, "extension")) + ": " +
                         one_line(text_field(observation, "text")),
                 .style = Style::Yellow}});
}

void ViewLog::tool_completed(const JsonObject& observation, Speaker& speaker) {
  const std::string status = text_field(observation, "status");
  const bool failed = status == "error";
  const bool pending = status == "pending";
  Line line;
  line.add(failed ? "✗ " : (pending ? "… " : "✓ "),
           failed ? Style::Red : (pending ? Style::Yellow : Style::Green));
  line.add(one_line(text_field(observation, "toolName")));
  const auto call = speaker.calls.find(text_field(observation, "toolCallId"));
  if (call != speaker.calls.end()) {
    if (!call->second.empty()) line.add("  " + call->second, Style::Dim, Span::Cut::First);
    speaker.calls.erase(call);
  }
  if (pending) {
    line.add("  pending as " + one_line(text_field(observation, "handle")), Style::Yellow);
  } else {
    line.add("  " + duration_text(time_field(observation, "durationMs")), Style::Dim);
  }
  put(speaker, std::move(line));
  if (failed) put_error(speaker, observation);
}

void ViewLog::handle_ended(const JsonObject& observation, Speaker& speaker) {
  const std::string status = text_field(observation, "status");
  const bool good = status == "ok";
  Line line{{.text = good ? "✓ " : "✗ ", .style = good ? Style::Green : Style::Red}};
  line.add(one_line(text_field(observation, "toolName")) + "  " +
           one_line(text_field(observation, "handle")));
  line.add(status == "cancelled" ? "  cancelled" : "  has ended", Style::Dim);
  put(speaker, std::move(line));
  if (status == "error") put_error(speaker, observation);
}

void ViewLog::agent_exited(const JsonObject& observation, Speaker& speaker) {
  if (true_field(observation, "expected")) return;
  finish_text(speaker);
  speaker.calls.clear();
  put(speaker, {{.text = "! its process ended: " + one_line(text_field(observation, "how")),
                 .style = Style::Yellow}});
}

void ViewLog::agent_backoff(const JsonObject& observation, Speaker& speaker) {
  const std::int64_t crashes = integer_field(observation, "crashes").value_or(0);
  put(speaker, {{.text = "! ended " + std::to_string(crashes) + " times; starts again in " +
                         duration_text(time_field(observation, "waitMs")),
                 .style = Style::Yellow}});
}

// Shown when the turn begins that it leads to: what the sender says about it may come later.
void ViewLog::delegate_sent(const JsonObject& observation, Speaker&) {
  const Member* const target = &cast_.of(text_field(observation, "to"));
  std::vector<Member*>& senders = handoffs_[target];
  if (senders.size() < kMaxHandoffs) senders.push_back(&cast_.of(text_field(observation, "from")));
}

void ViewLog::put_handoffs(const Speaker& target) {
  const auto found = handoffs_.find(target.member);
  if (found == handoffs_.end()) return;
  const Speaker& sender = speaker(*found->second.front());
  // It names the sender itself, and needs no head above it.
  Line line{{.text = std::string(indent(sender), ' ')}};
  line.add(sender.member->name, sender.member->colour);
  line.add(" → ");
  line.add(target.member->name, target.member->colour);
  out_.push_back(std::move(line));
  found->second.erase(found->second.begin());
  if (found->second.empty()) handoffs_.erase(found);
}

void ViewLog::delegate_answered(const JsonObject& observation, Speaker&) {
  if (text_field(observation, "status") != "error") return;  // the answer itself is shown
  Speaker& sender = speaker(cast_.of(text_field(observation, "from")));
  const Member& target = cast_.of(text_field(observation, "to"));
  put(sender, {{.text = "✗ ", .style = Style::Red},
               {.text = target.name, .style = target.colour},
               {.text = " has not answered", .style = Style::Dim}});
}

void ViewLog::runtime_problem(const JsonObject& observation, Speaker& speaker) {
  put(speaker, {{.text = "! " + error_line(error_of(observation)), .style = Style::Yellow}});
}

void ViewLog::bundle_changed(const JsonObject& observation, Speaker&) {
  std::string names;
  if (const JsonArray* const agents = array_field(observation, "agents")) {
    for (const Json& agent : *agents) {
      if (!agent.is_string()) continue;
      names += (names.empty() ? "" : ", ") + one_line(std::string_view(agent.get_string()));
    }
  }
  const std::string who = names.empty() ? "" : "; starting anew: " + names;
  std::ranges::move(say("⟳ the bundle has changed" + who, Style::Cyan, room_),
                    std::back_inserter(out_));
}

void ViewLog::bundle_rejected(const JsonObject& observation, Speaker&) {
  const std::string why = error_line(error_of(observation));
  std::ranges::move(say("! the bundle has changed and has errors; the old one goes on: " + why,
                        Style::Yellow, room_),
                    std::back_inserter(out_));
}

}  // namespace goondan::cli
