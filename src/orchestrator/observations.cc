#include "orchestrator/observations.h"

#include "base/ids.h"

namespace goondan::orchestrator {

void Observations::add(JsonObject observation) {
  if (!observation.contains("timestamp")) observation["timestamp"] = iso_now();
  const Json* const type = observation.if_contains("type");
  // Pieces of text that come again as a whole.
  const bool passing = type != nullptr && *type == "message.delta";
  if (!passing) {
    append_text(lines_, observation);
    lines_ += '\n';
  }
  round_.push_back(std::move(observation));
}

void Observations::flush() {
  log_.append(lines_);
  lines_.clear();
  clients_.observe(round_);
  round_.clear();
}

}  // namespace goondan::orchestrator
