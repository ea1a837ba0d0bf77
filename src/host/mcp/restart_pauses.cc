#include "host/mcp/restart_pauses.h"

#include <algorithm>

namespace goondan {

void RestartPauses::starting(Deadline now) {
  ++starts_;
  started_ = now;
}

void RestartPauses::ended(Deadline now) {
  if (now - started_ >= kMcpLastedLong) starts_ = 0;
  next_ = now;
  if (starts_ < kQuickMcpStarts) return;
  std::chrono::seconds pause = kFirstMcpPause;
  for (int i = kQuickMcpStarts; i < starts_ && pause < kLongestMcpPause; ++i)
    pause *= 2;
  next_ += std::min(pause, kLongestMcpPause);
}

}  // namespace goondan
