// The loop of `gdn run`: messages go to the orchestrator, what it tells goes to the view, and an
// orchestrator that dies is started again.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "cli/run_input.h"
#include "cli/run_link.h"
#include "cli/run_message.h"
#include "cli/run_signals.h"
#include "cli/run_view.h"

namespace goondan::cli {

struct FrontOptions {
  enum class Input { Message, Lines, Terminal };  // Lines: messages come through a pipe

  LinkOptions link = {};
  Input input = Input::Message;
  std::string message = {};
  std::string agent = {};         // empty: the swarm's entry agent
  std::string instance_key = {};  // empty: the usual one
  Answer wait_handles = Answer::No;
  Answer wait_auth = Answer::No;
  JsonObject surroundings = {};  // {origin?, auth?} of each message
};

// How often an orchestrator may die before it is given up, and within what time.
inline constexpr std::size_t kMaxCrashes = 5;
inline constexpr std::chrono::minutes kCrashTime{1};
// How long one that was told to stop may take.
inline constexpr std::chrono::seconds kLeaveTime{6};

// Thread-compatible; made for one run. Borrows the view and the signals.
class Front {
 public:
  Front(FrontOptions options, View& view, Signals& signals);

  // Returns when everything is answered or somebody wants to leave.
  ExitCode run();

 private:
  // Starting: `started` has not come. Away: the orchestrator of another process is gone for a
  // moment. Leaving: told to stop.
  enum class Phase { Starting, Running, Away, Leaving, Over };
  enum class Asked { Watch, Submit, Cancel, Status, Stop };

  void enter(Phase phase, std::chrono::milliseconds time);
  void open_link();
  void wait_once();
  void on_deadline();
  void on_signals();
  void interrupt();

  // run_front_events.cc
  void on_socket(short revents);
  void on_payload(const JsonObject& payload);
  void on_started(const JsonObject& payload);
  void on_reply(const JsonObject& payload);
  void on_status(const JsonObject& status);
  void on_observations(const JsonObject& payload);
  void observe(const JsonObject& observation);
  void follow_consents(const std::string& type, const JsonObject& observation);
  void follow_turns(const std::string& type, const JsonObject& observation);
  void hear(std::optional<SentMessage>& message, const JsonObject& observation);
  void show_end(JsonObject finished);
  void look_for_end();

  // run_front_lost.cc
  void on_start_failed(const JsonObject& payload);
  void on_restarting(const JsonObject& payload);
  void on_lost();
  void show_log();

  // run_front_messages.cc
  void advance();
  void next_message();
  void take_line(LineInput::Event event, const std::string& line);
  void refuse_line();
  void submit();
  void finish_message();
  void hear_left_over(const JsonObject& started);
  void end_input();
  [[nodiscard]] bool settled() const;
  // Until when somebody is waited for; nothing if nobody is.
  [[nodiscard]] std::optional<Deadline> consent_end() const;
  [[nodiscard]] std::optional<Deadline> settle_time() const;
  [[nodiscard]] bool busy() const;
  void post(std::string_view kind, JsonObject params, Asked asked);

  void leave(ExitCode code);
  void give_up(const Error& error);
  void say_error(const Error& error);
  [[nodiscard]] ExitCode result_code() const;

  FrontOptions options_;
  View& view_;
  Signals& signals_;
  Link link_;
  LineInput input_;
  TypingEcho echo_;
  Phase phase_ = Phase::Starting;
  Deadline phase_end_ = Deadline::max();
  std::map<std::string, Asked> asked_;
  std::string log_line_;  // begun by the orchestrator

  std::optional<SentMessage> message_;   // the one that is being answered
  std::optional<SentMessage> previous_;  // has been; more may follow from it
  Deadline message_since_{};
  Totals message_totals_;
  Totals totals_;
  RunOutcome result_;  // the last answer, the first error
  ExitCode exit_ = ExitCode::Ok;

  struct Turn {
    std::string instance = {};
    // Delivered: the orchestrator knows of it. Own: the agent answers what it was told meanwhile.
    enum class Begun { Delivered, Own } begun = Begun::Delivered;
  };
  std::map<std::string, Turn> turns_;  // that run
  Deadline quiet_since_{};             // nothing is known to run
  std::optional<Deadline> input_end_;  // when the last line had been answered
  std::int64_t pending_handles_ = 0;
  std::map<std::string, Deadline> consents_;  // sessions that wait for somebody, and how long
  std::deque<Deadline> crashes_;
  Deadline interrupted_{};  // last time
  Deadline away_since_{};
  std::optional<std::string> stopped_;  // why the orchestrator has stopped
  bool idle_ = false;                   // the orchestrator has nothing to do
  bool follow_ups_ = false;             // agents may have been told something to answer
  bool restarting_ = false;
  bool taken_ = false;  // the message of the command line
  bool greeted_ = false;
  bool prompting_ = false;
  bool cancelled_ = false;  // by Ctrl-C, during this message
};

}  // namespace goondan::cli
