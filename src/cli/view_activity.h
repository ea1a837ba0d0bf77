// What is going on right now, as the few lines that are redrawn below the log.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/tool_context.h>

#include "cli/view_cast.h"
#include "cli/view_line.h"

namespace goondan::cli {

// Follows observations. Pure but for what it remembers: time is given. Thread-compatible.
class ViewActivity {
 public:
  explicit ViewActivity(Cast& cast) : cast_(cast) {}

  void observe(const JsonObject& observation, Deadline now);
  // The connection is new: nothing is known to run.
  void reset();

  // At most `rows` lines; none if nothing goes on.
  [[nodiscard]] std::vector<Line> lines(Deadline now, std::size_t rows) const;
  // The tools that run, for people: "bash__exec (writer), …"; empty: none.
  [[nodiscard]] std::string running_calls() const;

 private:
  struct Call {
    std::string id = {};
    std::string name = {};
    std::string arguments = {};
    Deadline since = {};
    Progress progress = {};
  };
  struct Worker {
    Member* member = nullptr;
    enum class Doing { Nothing, Thinking, Writing, Waiting, Restarting } doing = Doing::Nothing;
    Deadline since = {};
    Deadline until = {};  // of a wait
    std::int64_t attempt = 0;
    std::vector<Call> calls = {};
  };

  void observe_turn(const std::string& type, const JsonObject& observation, Deadline now);
  void observe_call(const std::string& type, const JsonObject& observation, Deadline now);
  Worker& worker(const JsonObject& observation);
  [[nodiscard]] std::vector<Line> all_lines(Deadline now) const;
  [[nodiscard]] Line call_line(const Worker& worker, const Call& call, Deadline now) const;
  [[nodiscard]] std::optional<Line> state_line(const Worker& worker, Deadline now) const;
  [[nodiscard]] Line begin_line(const Worker& worker, Deadline now) const;

  Cast& cast_;
  std::vector<Worker> workers_;    // in the order in which they were first seen
  std::set<std::string> waiting_;  // messages that have not begun
  std::set<std::string> handles_;  // that are pending
};

}  // namespace goondan::cli
