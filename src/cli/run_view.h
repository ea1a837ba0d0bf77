// What `gdn run` shows of a run: a live view on a terminal, plain lines, or JSON.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/error.h>
#include <goondan/json.h>
#include <goondan/tool_context.h>

#include "cli/view_totals.h"

namespace goondan::cli {

// What became of a message, or of all of them.
struct RunOutcome {
  std::string response = {};
  std::optional<Error> error = {};
};

// Thread-compatible: used by the loop of `gdn run` only. Everything that comes from outside is made
// harmless before it is shown.
class View {
 public:
  enum class Weight { Note, Warning };

  virtual ~View() = default;
  virtual void observe(const JsonObject& observation, Deadline now) = 0;
  // Something that `gdn run` itself has to say.
  virtual void say(std::string_view text, Weight weight) = 0;
  // The answer to a message, which a script may wait for.
  virtual void answer(std::string_view text) = 0;
  // Everything that a message has led to is done.
  virtual void summary(const Totals& totals, std::chrono::milliseconds duration) = 0;
  // The run is over: the last call.
  virtual void finish(const RunOutcome& outcome, const Totals& totals) = 0;
  // The connection is new; what had begun will be told anew.
  virtual void reset() {}

  // Asks for a message; a line has been entered.
  virtual void prompt() {}
  virtual void entered(std::string_view) {}

  // Shows what is due. `next_draw`: when to call it again at the latest.
  virtual void draw(Deadline) {}
  [[nodiscard]] virtual std::optional<Deadline> next_draw() const { return std::nullopt; }
  // The tools that run, for people; empty if that is not known.
  [[nodiscard]] virtual std::string running_calls() const { return {}; }
};

enum class ViewKind { Live, Plain, Json };

// Live if standard error is a terminal that can move its cursor.
ViewKind suitable_view();
// `usual_key`: the instance key that is left out where agents are named.
std::unique_ptr<View> make_view(ViewKind kind, const std::string& usual_key);

}  // namespace goondan::cli
