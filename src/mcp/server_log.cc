#include "mcp/server_log.h"

#include <algorithm>

#include "mcp/json_rpc.h"

namespace goondan::mcp {

bool ServerLog::admit(Deadline now) {
  const std::chrono::duration<double> passed = now - last_;
  credit_ = std::min(kLogBurst, credit_ + passed.count() * kLogRate);
  last_ = now;
  if (credit_ < 1) return false;
  credit_ -= 1;
  return true;
}

void ServerLog::write(LogLevel level, std::string_view text) {
  if (!sink_) return;
  const std::lock_guard lock(mutex_);
  if (!admit(Clock::now())) {
    ++skipped_;
    return;
  }
  if (skipped_ > 0) {
    sink_(LogLevel::Warn, std::to_string(skipped_) + " lines were left out");
    skipped_ = 0;
  }
  sink_(level, clean_text(text, kMaxLogText));
}

}  // namespace goondan::mcp
