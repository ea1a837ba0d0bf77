// An orchestrator that does not start, starts anew, ends, or says its last words.
#include "base/json_fields.h"
#include "cli/run_front.h"

namespace goondan::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kRestartTime = 60s;
constexpr auto kAwayStep = 100ms;
constexpr auto kEndTime = 2s;
constexpr std::size_t kMaxLogLine = 4'096;

std::string diagnostic_text(const JsonObject& diagnostic) {
  return text_field(diagnostic, "file") + ":" +
         std::to_string(integer_field(diagnostic, "line").value_or(0)) + ":" +
         std::to_string(integer_field(diagnostic, "column").value_or(0)) + ": " +
         text_field(diagnostic, "message");
}

}  // namespace

void Front::on_start_failed(const JsonObject& payload) {
  Error error = error_from(any_field(payload, "error"));
  if (error.code == ErrorCode::AlreadyRunning) {
    // Somebody else was faster: theirs it is.
    link_.close(Clock::now() + kEndTime);
    away_since_ = Clock::now();
    return enter(Phase::Away, kAwayStep);
  }
  if (const JsonArray* const diagnostics = array_field(payload, "diagnostics")) {
    for (const Json& item : *diagnostics) {
      const JsonObject& diagnostic = object_or_empty(item);
      if (text_field(diagnostic, "message") == error.message) {
        error.message = diagnostic_text(diagnostic);  // once, with its place
      } else {
        view_.say(diagnostic_text(diagnostic), View::Weight::Warning);
      }
    }
  }
  if (error.code == ErrorCode::ConfigValueMissing && !error.suggestion.empty()) {
    error.suggestion += " A line in the bundle's .env will do.";
  }
  give_up(error);
}

void Front::on_restarting(const JsonObject& payload) {
  if (restarting_ || phase_ == Phase::Leaving) return;
  restarting_ = true;
  const std::string reason = text_field(payload, "reason");
  view_.say("restarting" + (reason.empty() ? "" : ": " + reason), View::Weight::Note);
  view_.reset();
  turns_.clear();
  if (link_.own()) enter(Phase::Starting, kRestartTime);
}

void Front::show_log() {
  while (true) {
    const std::string piece = link_.read_log();
    if (piece.empty()) break;
    log_line_ += piece;
    std::size_t end = 0;
    while ((end = log_line_.find('\n')) != std::string::npos) {
      view_.say("orchestrator: " + log_line_.substr(0, end), View::Weight::Note);
      log_line_.erase(0, end + 1);
    }
    if (log_line_.size() > kMaxLogLine) {
      view_.say("orchestrator: " + log_line_, View::Weight::Note);
      log_line_.clear();
    }
  }
}

void Front::on_lost() {
  show_log();
  const bool own = link_.own();
  const std::optional<os::ExitStatus> status = link_.close(Clock::now() + kEndTime);
  if (phase_ == Phase::Leaving) return enter(Phase::Over, 0ms);
  view_.reset();
  turns_.clear();
  if (stopped_) {
    const std::string why = stopped_->empty() ? "" : " (" + *stopped_ + ")";
    const bool open = message_ && !message_->done();
    if (open) {
      return give_up({.code = ErrorCode::NotRunning,
                      .message = "the orchestrator was stopped" + why,
                      .suggestion = "The message is kept; the next `gdn run` goes on with it."});
    }
    view_.say("the orchestrator was stopped" + why, View::Weight::Note);
    exit_ = result_code();
    return enter(Phase::Over, 0ms);
  }
  if (!own && restarting_) {
    away_since_ = Clock::now();
    return enter(Phase::Away, kAwayStep);
  }
  const Deadline now = Clock::now();
  crashes_.push_back(now);
  while (now - crashes_.front() > kCrashTime)
    crashes_.pop_front();
  const std::string how = !own ? "the `gdn run` that had started the swarm has ended"
                               : "the orchestrator ended unexpectedly" +
                                     (status ? " (" + status->text() + ")" : std::string());
  if (crashes_.size() > kMaxCrashes) {
    return give_up({.code = ErrorCode::Internal,
                    .message = how + ", " + std::to_string(crashes_.size()) +
                               " times within a minute; it is not started again",
                    .suggestion = "Its last words are above. What was accepted is not lost: the "
                                  "next `gdn run` goes on with it."});
  }
  view_.say(how + "; starting it again", View::Weight::Warning);
  restarting_ = false;
  open_link();
}

}  // namespace goondan::cli
