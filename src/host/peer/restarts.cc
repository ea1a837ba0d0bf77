#include "host/peer/restarts.h"

#include <algorithm>

namespace goondan::peer {

void Restarts::note_end(Deadline when) {
  ++ends_;
  last_end_ = when;
}

Deadline Restarts::next_start() const {
  if (ends_ <= policy_.quick) return Deadline::min();
  auto pause = policy_.first_pause;
  for (std::size_t i = policy_.quick + 1; i < ends_ && pause < policy_.longest_pause; ++i)
    pause *= 2;
  return last_end_ + std::min(pause, policy_.longest_pause);
}

}  // namespace goondan::peer
