// What is over, as lines that are printed once and scroll: turns, calls, text, handoffs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

#include "cli/view_cast.h"
#include "cli/view_line.h"
#include "cli/view_stream.h"

namespace goondan::cli {

// Turns observations into lines. Pure but for what it remembers; thread-compatible.
//
// Lines of one instance stand below its name and are moved to the right if another agent waits for
// it. One instance at a time shows its text while it writes; what others write appears when it is
// complete, so that two texts never mix.
class ViewLog {
 public:
  explicit ViewLog(Cast& cast) : cast_(cast) {}

  // `room`: the columns of a line.
  std::vector<Line> observe(const JsonObject& observation, std::size_t room);
  // What the command line itself says.
  std::vector<Line> say(std::string_view text, Style style, std::size_t room);
  // The row that is being written, below its name if that is not there yet.
  [[nodiscard]] std::vector<Line> partial(std::size_t room) const;
  // The connection is new: nothing that had begun will go on by itself.
  std::vector<Line> reset(std::size_t room);

 private:
  struct Speaker {
    Member* member = nullptr;
    TextStream stream = {};
    std::string last_text = {};                                  // of the model, in this turn
    std::map<std::string, std::string, std::less<>> calls = {};  // id to arguments
  };
  using Lines = std::vector<Line>;
  using Handler = void (ViewLog::*)(const JsonObject&, Speaker&);

  static const std::map<std::string_view, Handler>& handlers();
  Speaker& speaker(const JsonObject& observation);
  Speaker& speaker(Member& member);
  [[nodiscard]] std::size_t indent(const Speaker& speaker) const;
  [[nodiscard]] std::size_t text_room(const Speaker& speaker) const;
  static Line head(const Speaker& speaker);
  void put(Speaker& speaker, Line content);
  void put_rows(Speaker& speaker, std::vector<std::string> rows, Style style = Style::Plain);
  void put_error(Speaker& speaker, const JsonObject& observation);
  void put_handoffs(const Speaker& target);
  void finish_text(Speaker& speaker);

  void turn_started(const JsonObject& observation, Speaker& speaker);
  void turn_completed(const JsonObject& observation, Speaker& speaker);
  void turn_failed(const JsonObject& observation, Speaker& speaker);
  void turn_interrupted(const JsonObject& observation, Speaker& speaker);
  void model_retry(const JsonObject& observation, Speaker& speaker);
  void message_delta(const JsonObject& observation, Speaker& speaker);
  void message_text(const JsonObject& observation, Speaker& speaker);
  void message_injected(const JsonObject& observation, Speaker& speaker);
  void tool_called(const JsonObject& observation, Speaker& speaker);
  void tool_log(const JsonObject& observation, Speaker& speaker);
  void extension_log(const JsonObject& observation, Speaker& speaker);
  void tool_completed(const JsonObject& observation, Speaker& speaker);
  void handle_ended(const JsonObject& observation, Speaker& speaker);
  void agent_exited(const JsonObject& observation, Speaker& speaker);
  void agent_backoff(const JsonObject& observation, Speaker& speaker);
  void delegate_sent(const JsonObject& observation, Speaker& speaker);
  void delegate_answered(const JsonObject& observation, Speaker& speaker);
  void auth_required(const JsonObject& observation, Speaker& speaker);
  void auth_ended(const JsonObject& observation, Speaker& speaker);
  void runtime_problem(const JsonObject& observation, Speaker& speaker);
  void bundle_changed(const JsonObject& observation, Speaker& speaker);
  void bundle_rejected(const JsonObject& observation, Speaker& speaker);

  Cast& cast_;
  std::map<const Member*, Speaker> speakers_;
  std::map<const Member*, std::vector<Member*>> handoffs_;  // that have not begun, by target
  Member nobody_;                                           // for what is about no instance
  const Speaker* last_ = nullptr;                           // whose line came last
  const Speaker* floor_ = nullptr;                          // who shows its text while it writes
  std::size_t room_ = 80;
  bool begun_ = false;  // there are lines already
  Lines out_;
};

}  // namespace goondan::cli
