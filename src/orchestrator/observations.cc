#include "orchestrator/observations.h"

#include "base/ids.h"

namespace goondan::orchestrator {

void Observations::add(JsonObject observation) {
  if (!observation.contains("timestamp")) observation["timestamp"] = iso_now();
  const Json* const type = observation.if_contains("type");
  const std::size_t before = lines_.size();
  append_text(lines_, observation);
  const std::size_t size = lines_.size() - before;
  // Pieces of text that come again as a whole are not kept.
  if (type != nullptr && *type == "message.delta") {
    lines_.resize(before);
  } else {
    lines_ += '\n';
  }
  round_.push_back({.observation = std::move(observation), .size = size});
}

void Observations::flush() {
  log_.append(lines_);
  lines_.clear();
  clients_.observe(round_);
  round_.clear();
}

}  // namespace goondan::orchestrator
