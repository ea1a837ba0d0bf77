// Which message is sent when, and when everything is done.
#include "base/json_fields.h"
#include "cli/run_front.h"

namespace goondan::cli {
namespace {

constexpr std::chrono::milliseconds kFollowTime{100};
// For work that is queued and does not begin, once there is no more input.
constexpr std::chrono::seconds kLeftOverTime{3};

}  // namespace

using Input = FrontOptions::Input;

bool Front::busy() const {
  return (message_ && !message_->done()) || !turns_.empty();
}

// What was told to an agent is not queued any more, and its turn has not begun for a moment.
std::optional<Deadline> Front::settle_time() const {
  if (!turns_.empty() || !(message_ ? message_->done() : input_end_.has_value())) return {};
  if (!message_ && !idle_) return std::max(quiet_since_, *input_end_) + kLeftOverTime;
  if (!idle_) return {};
  return follow_ups_ ? quiet_since_ + kFollowTime : quiet_since_;
}

bool Front::settled() const {
  if (!message_->done()) return false;
  // Beside others there may always be something that runs.
  const bool alone = link_.own() && message_->is_accepted();
  if (consent_end()) return false;
  if (options_.wait_handles == Answer::No && !alone) return true;
  const std::optional<Deadline> time = settle_time();
  if (!time || *time > Clock::now()) return false;
  return options_.wait_handles == Answer::No || pending_handles_ == 0;
}

std::optional<Deadline> Front::consent_end() const {
  if (options_.wait_auth == Answer::No) return {};
  std::optional<Deadline> first;
  for (const auto& [session, end] : consents_) {
    if (end > Clock::now()) first = std::min(end, first.value_or(end));
  }
  return first;
}

void Front::advance() {
  if (phase_ != Phase::Running) return;
  if (message_ && settled()) finish_message();
  if (!message_ && phase_ == Phase::Running) next_message();
}

void Front::next_message() {
  if (options_.input == Input::Message) {
    if (std::exchange(taken_, true)) return leave(result_code());
    message_.emplace(options_.message,
                     link_.own() ? SentMessage::FollowUps::Yes : SentMessage::FollowUps::No);
    return submit();
  }
  if (options_.input == Input::Terminal && !prompting_) {
    if (!std::exchange(greeted_, true)) {
      view_.say("each line is a message; Ctrl-C stops what runs, Ctrl-D leaves",
                View::Weight::Note);
    }
    prompting_ = true;
    echo_.set(TypingEcho::Echo::On);
    view_.prompt();
  }
  std::string line;
  const std::optional<LineInput::Event> event = input_.next(line);
  if (event) take_line(*event, line);
}

void Front::take_line(LineInput::Event event, const std::string& line) {
  if (prompting_ && event != LineInput::Event::End) {
    view_.entered(line);
    prompting_ = false;
  }
  switch (event) {
    case LineInput::Event::Blank:
      return next_message();
    case LineInput::Event::End:
      return end_input();
    case LineInput::Event::TooLong:
      refuse_line();
      return next_message();
    case LineInput::Event::Line:
      break;
  }
  echo_.set(TypingEcho::Echo::Off);
  message_.emplace(line, link_.own() ? SentMessage::FollowUps::Yes : SentMessage::FollowUps::No);
  submit();
}

// What an earlier run has left goes on by itself; its answers are shown like those to a message.
void Front::hear_left_over(const JsonObject& started) {
  const bool entry = options_.agent.empty();
  const bool usual = options_.instance_key.empty();
  previous_.emplace("", SentMessage::FollowUps::AndResumed);
  previous_->accepted({{"agent", entry ? text_field(started, "entryAgent") : options_.agent},
                       {"instanceKey", usual ? "default" : options_.instance_key}});
}

// A person who ends the input wants to leave. A pipe that ends has only nothing more to say: what
// goes on by itself is waited for.
void Front::end_input() {
  if (options_.input == Input::Terminal || !link_.own()) return leave(result_code());
  if (!input_end_) {
    input_end_ = Clock::now();
    if (!idle_) post("status", {}, Asked::Status);
  }
  const std::optional<Deadline> time = settle_time();
  if (time && *time <= Clock::now()) leave(result_code());
}

void Front::refuse_line() {
  const Error error{.code = ErrorCode::Limit,
                    .message = "a line has more than " + std::to_string(kMaxLineBytes) + " bytes",
                    .suggestion = "Put the text into a file and name the file."};
  say_error(error);
  if (!result_.error) result_.error = error;
}

void Front::submit() {
  if (!message_->is_accepted()) {
    message_since_ = Clock::now();
    message_totals_ = {};
    cancelled_ = false;
    follow_ups_ = false;
    previous_.reset();
  }
  idle_ = false;
  JsonObject params{{"id", message_->id()}, {"input", message_->text()}};
  if (!options_.agent.empty()) params["agent"] = options_.agent;
  if (!options_.instance_key.empty()) params["instanceKey"] = options_.instance_key;
  for (const auto& part : options_.surroundings)
    params.insert(part);
  post("submit", std::move(params), Asked::Submit);
}

void Front::finish_message() {
  const auto taken = Clock::now() - message_since_;
  view_.summary(message_totals_, std::chrono::duration_cast<std::chrono::milliseconds>(taken));
  const RunOutcome& outcome = message_->outcome();
  result_.response = outcome.response;
  if (outcome.error && !result_.error) result_.error = outcome.error;
  previous_ = std::exchange(message_, std::nullopt);
}

void Front::post(std::string_view kind, JsonObject params, Asked asked) {
  if (!link_.connected()) return;
  const Result<std::string> id = link_.client().post(kind, std::move(params));
  if (id.ok()) {
    asked_[*id] = asked;
  } else if (id.error().code == ErrorCode::Limit && asked == Asked::Submit) {
    say_error(id.error());
    message_->fail(id.error());
  }
  // Otherwise it is gone, which the end of its stream tells, after its last words.
}

}  // namespace goondan::cli
