#include "cli/run_front.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <poll.h>
#include <unistd.h>

#include "cli/view_words.h"

namespace goondan::cli {
namespace {

using namespace std::chrono_literals;

// Building the tools of a bundle may take a while.
constexpr std::chrono::minutes kStartTime{5};
constexpr auto kAwayStep = 100ms;  // between two tries to connect again
constexpr auto kAwayTime = 15s;
constexpr auto kTwice = 2s;  // two Ctrl-C within it mean that somebody wants to leave
constexpr auto kStatusTime = 1s;
constexpr auto kEndTime = 2s;  // for a process that has closed its connection

}  // namespace

Front::Front(FrontOptions options, View& view, Signals& signals)
    : options_(std::move(options)), view_(view), signals_(signals), link_(options_.link) {}

ExitCode Front::run() {
  echo_.set(TypingEcho::Echo::Off);
  open_link();
  while (phase_ != Phase::Over) {
    advance();
    view_.draw(Clock::now());
    if (phase_ != Phase::Over) wait_once();
  }
  if (exit_ == ExitCode::Ok) exit_ = result_code();  // what came while it stopped
  link_.close(Clock::now() + kEndTime);
  view_.finish(result_, totals_);
  return exit_;
}

void Front::enter(Phase phase, std::chrono::milliseconds time) {
  phase_ = phase;
  phase_end_ = time.count() == 0 ? Deadline::max() : Clock::now() + time;
}

void Front::open_link() {
  const Result<void> opened = link_.open();
  if (!opened.ok()) return give_up(opened.error());
  stopped_.reset();
  asked_.clear();
  turns_.clear();
  enter(Phase::Starting, kStartTime);
  if (link_.own()) return;
  view_.say("attached to the orchestrator that runs already", View::Weight::Note);
  on_started({});
}

void Front::wait_once() {
  enum { kSignal, kSocket, kLog, kInput, kCount };
  std::array<pollfd, kCount> fds;
  fds.fill({.fd = -1, .events = POLLIN, .revents = 0});
  fds[kSignal].fd = signals_.fd();
  if (link_.connected()) {
    fds[kSocket].fd = link_.client().fd();
    fds[kSocket].events = link_.client().events();
  }
  fds[kLog].fd = link_.log_fd();
  const bool wants_line = options_.input != FrontOptions::Input::Message && !message_ &&
                          phase_ == Phase::Running && !input_.ended();
  if (wants_line) fds[kInput].fd = STDIN_FILENO;
  Deadline until = std::min(phase_end_, view_.next_draw().value_or(Deadline::max()));
  const bool for_handles = pending_handles_ != 0 && options_.wait_handles == Answer::Yes;
  const std::optional<Deadline> consent = consent_end();
  until = std::min(until, consent.value_or(Deadline::max()));
  if (!message_ || (!for_handles && !consent)) {
    until = std::min(until, settle_time().value_or(Deadline::max()));
  }
  static const os::StopWaker kNever;
  os::wait_any(fds, until, kNever);
  if (fds[kSignal].revents != 0) on_signals();
  if (fds[kLog].revents != 0) show_log();
  if (fds[kSocket].revents != 0 && link_.connected()) on_socket(fds[kSocket].revents);
  if (fds[kInput].revents != 0) input_.read();
  if (Clock::now() >= phase_end_) on_deadline();
}

void Front::on_deadline() {
  switch (phase_) {
    case Phase::Starting:
      return give_up({.code = ErrorCode::Io,
                      .message = "the orchestrator did not start in time",
                      .suggestion = "Look for its reason above, or with `gdn logs`."});
    case Phase::Running:
      enter(Phase::Running, kStatusTime);
      return post("status", {}, Asked::Status);
    case Phase::Away:
      if (link_.attach().ok()) {
        enter(Phase::Starting, kStartTime);
        return on_started({});
      }
      if (Clock::now() - away_since_ < kAwayTime) return enter(Phase::Away, kAwayStep);
      return give_up({.code = ErrorCode::NotRunning,
                      .message = "the orchestrator has ended and did not come back",
                      .suggestion = "Run `gdn run` again: what was accepted is not lost."});
    case Phase::Leaving:
      view_.say(
          "the orchestrator took too long to stop and was ended; unfinished turns go on "
          "with the next `gdn run`",
          View::Weight::Warning);
      link_.close(Clock::now());
      return enter(Phase::Over, 0ms);
    case Phase::Over:
      return;
  }
}

void Front::on_signals() {
  while (const std::optional<int> signal = signals_.take()) {
    if (*signal == SIGINT) {
      interrupt();
    } else if (phase_ != Phase::Leaving) {
      leave(ExitCode::Interrupted);
    }
  }
}

void Front::interrupt() {
  const Deadline now = Clock::now();
  if (phase_ == Phase::Leaving) {
    link_.close(now);
    return enter(Phase::Over, 0ms);
  }
  const bool twice = now - interrupted_ < kTwice;
  if (twice || phase_ != Phase::Running || !busy()) return leave(ExitCode::Interrupted);
  interrupted_ = now;
  cancelled_ = true;
  const std::string calls = view_.running_calls();
  view_.say("stopping " + (calls.empty() ? "what runs" : calls) + "; Ctrl-C again leaves",
            View::Weight::Warning);
  JsonObject params;
  if (!link_.own() && message_) {  // the work of others goes on
    params["agent"] = message_->agent();
    params["instanceKey"] = message_->instance_key();
  }
  post("cancel", std::move(params), Asked::Cancel);
}

void Front::leave(ExitCode code) {
  if (phase_ == Phase::Leaving || phase_ == Phase::Over) return;
  exit_ = code;
  if (code == ExitCode::Interrupted && !result_.error) {
    result_.error = Error{.code = ErrorCode::TurnCancelled, .message = "interrupted"};
  }
  if (pending_handles_ > 0) {
    view_.say(
        counted(pending_handles_, "result") +
            " still pending; `gdn handles list` shows them, the next `gdn run` goes on with them",
        View::Weight::Note);
  }
  if (!link_.connected() || !link_.own()) return enter(Phase::Over, 0ms);
  if (busy()) view_.say("leaving: turns that run are ended", View::Weight::Note);
  enter(Phase::Leaving, kLeaveTime);
  post("stop", {}, Asked::Stop);
}

void Front::say_error(const Error& error) {
  view_.say("error: " + error.message + " [" + std::string(error.code_text()) + "]",
            View::Weight::Warning);
  if (!error.suggestion.empty()) view_.say("hint: " + error.suggestion, View::Weight::Note);
}

void Front::give_up(const Error& error) {
  say_error(error);
  if (!result_.error) result_.error = error;
  exit_ = exit_code_for(error.code);
  enter(Phase::Over, 0ms);
}

ExitCode Front::result_code() const {
  if (!result_.error) return ExitCode::Ok;
  const bool ours = cancelled_ && result_.error->code == ErrorCode::TurnCancelled;
  return ours ? ExitCode::Interrupted : exit_code_for(result_.error->code);
}

}  // namespace goondan::cli
