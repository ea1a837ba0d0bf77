// What comes from the orchestrator.
#include <poll.h>

#include "base/json_fields.h"
#include "cli/run_front.h"
#include "cli/view_words.h"
#include "oauth/manager/time_text.h"

namespace goondan::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kStatusTime = 1s;
constexpr std::size_t kMaxTurns = 10'000;  // that are followed at once
// For the agent to say itself that a link is too old.
constexpr auto kConsentGrace = 5s;

// An agent that has died tells nobody that its links are too old.
Deadline end_of_consent(const JsonObject& required) {
  const std::optional<std::int64_t> seconds = oauth::time_from(text_field(required, "expiresAt"));
  if (!seconds) return Deadline::max();
  const std::chrono::system_clock::time_point end{std::chrono::seconds(*seconds)};
  return Clock::now() + (end - std::chrono::system_clock::now()) + kConsentGrace;
}

}  // namespace

void Front::on_socket(short revents) {
  Result<void> received;
  if ((revents & POLLOUT) != 0) received = link_.client().flush();
  const Result<void> read = link_.client().receive();
  // What came before the end is still good.
  while (link_.connected()) {
    const std::optional<JsonObject> payload = link_.client().next();
    if (!payload) break;
    on_payload(*payload);
  }
  if (link_.connected() && phase_ != Phase::Over && (!received.ok() || !read.ok())) on_lost();
}

void Front::on_payload(const JsonObject& payload) {
  const std::string kind = text_field(payload, "kind");
  if (kind == "observe") return on_observations(payload);
  if (kind == "reply") return on_reply(payload);
  if (kind == "started") return on_started(payload);
  if (kind == "start_failed") return on_start_failed(payload);
  if (kind == "restarting") return on_restarting(payload);
  if (kind == "stopped") stopped_ = text_field(payload, "reason");
}

void Front::on_started(const JsonObject& payload) {
  if (phase_ == Phase::Leaving || phase_ == Phase::Over) return;
  restarting_ = false;
  enter(Phase::Running, 0ms);
  if (!link_.own()) post("watch", {}, Asked::Watch);  // its owner always watches
  if (message_ && !message_->done()) return submit();
  if (!message_ && !previous_ && link_.own()) hear_left_over(payload);
}

void Front::on_reply(const JsonObject& payload) {
  const auto found = asked_.find(text_field(payload, "requestId"));
  if (found == asked_.end()) return;
  const Asked asked = found->second;
  asked_.erase(found);
  const Result<Json> result = reply_result(payload);
  if (asked == Asked::Submit && message_ && !message_->done()) {
    if (result.ok()) return message_->accepted(object_or_empty(*result));
    if (restarting_) return;  // it is sent again
    say_error(result.error());
    return message_->fail(result.error());
  }
  if (asked == Asked::Status && result.ok()) return on_status(object_or_empty(*result));
  if (!result.ok() && asked != Asked::Stop) say_error(result.error());
}

void Front::on_status(const JsonObject& status) {
  if (integer_field(status, "queued").value_or(0) > 0) return;
  if (const JsonArray* const agents = array_field(status, "agents")) {
    for (const Json& agent : *agents) {
      const std::string state = text_field(object_or_empty(agent), "state");
      if (state != "idle" && state != "stopped") return;
    }
  }
  idle_ = true;
  turns_.clear();
  look_for_end();
}

void Front::on_observations(const JsonObject& payload) {
  const JsonArray* const events = array_field(payload, "events");
  if (events == nullptr) return;
  for (const Json& event : *events)
    observe(object_or_empty(event));
}

void Front::observe(const JsonObject& observation) {
  const std::string type = text_field(observation, "type");
  if (type == "message.finished" && message_ && !message_->done() &&
      text_field(observation, "id") == message_->id()) {
    show_end(observation);
  }
  view_.observe(observation, Clock::now());
  totals_.add(observation);
  message_totals_.add(observation);
  hear(message_, observation);
  hear(previous_, observation);
  follow_turns(type, observation);
  follow_consents(type, observation);
  if (type == "message.accepted") idle_ = false;
  const bool may_follow = type == "delegate.sent" || type.starts_with("handle.");
  if (may_follow || type == "message.injected") follow_ups_ = true;
  if (type == "runtime.restarting") return on_restarting(observation);
  if (type == "gap") {
    view_.say(counted(integer_field(observation, "dropped").value_or(0), "event") +
                  " came too fast to be shown; `gdn logs` has them",
              View::Weight::Note);
    enter(phase_, kStatusTime);
  }
  if (type != "runtime.idle") return;
  idle_ = true;
  quiet_since_ = Clock::now();
  std::erase_if(turns_,
                [](const auto& turn) { return turn.second.begun == Turn::Begun::Delivered; });
  pending_handles_ = integer_field(observation, "pendingHandles").value_or(0);
  if (const JsonArray* const handles = array_field(observation, "pendingHandles")) {
    pending_handles_ = static_cast<std::int64_t>(handles->size());
  }
  look_for_end();
}

void Front::hear(std::optional<SentMessage>& message, const JsonObject& observation) {
  if (!message) return;
  const std::optional<std::string> answer = message->observe(observation);
  if (answer) view_.answer(*answer);
  if (&message != &previous_) return;
  if (answer) result_.response = *answer;
  if (message->outcome().error && !result_.error) result_.error = message->outcome().error;
}

// A session that was agreed to is over when its agent has dealt with the news.
void Front::follow_consents(const std::string& type, const JsonObject& observation) {
  const std::string session = text_field(observation, "authSessionId");
  if (type == "auth.required") consents_[session] = end_of_consent(observation);
  const auto known = consents_.find(session);
  if (type == "auth.ended" && known != consents_.end()) {
    if (text_field(observation, "status") == "completed") {
      known->second = Deadline::max();
    } else {
      consents_.erase(known);
    }
  }
  const std::string id = text_field(observation, "id");
  if (type == "message.finished" && id.starts_with(kGrantedMessage))
    consents_.erase(id.substr(kGrantedMessage.size()));
}

// Also of those that the orchestrator knows nothing of: an agent that was told something while it
// had nothing to do answers in a turn of its own.
void Front::follow_turns(const std::string& type, const JsonObject& observation) {
  const std::string instance =
      text_field(observation, "agentName") + "@" + text_field(observation, "instanceKey");
  if (type == "turn.started" && turns_.size() < kMaxTurns) {
    const bool own = text_field(observation, "id").starts_with("injections_");
    turns_[text_field(observation, "turnId")] = {
        .instance = instance, .begun = own ? Turn::Begun::Own : Turn::Begun::Delivered};
  } else if (type == "turn.completed" || type == "turn.failed" || type == "turn.interrupted") {
    turns_.erase(text_field(observation, "turnId"));
    quiet_since_ = Clock::now();
  } else if (type == "agent.exited") {
    std::erase_if(turns_,
                  [&instance](const auto& turn) { return turn.second.instance == instance; });
  }
}

// The end of the message's turn, which nobody has told of but the orchestrator.
void Front::show_end(JsonObject finished) {
  finished["type"] = finished.contains("error") ? "turn.failed" : "turn.completed";
  view_.observe(finished, Clock::now());
}

// Nothing runs any more, and the message has not been answered as far as we have heard.
void Front::look_for_end() {
  if (!message_ || message_->done() || !message_->is_accepted() || !message_->seen()) return;
  const std::optional<JsonObject> end = stored_end(options_.link.workspace_folder, *message_);
  if (end) return observe(*end);
  message_->fail({.code = ErrorCode::Internal,
                  .message = "the end of the turn was not told",
                  .suggestion = "`gdn logs` and `gdn trace` show what has happened."});
  say_error(*message_->outcome().error);
}

}  // namespace goondan::cli
