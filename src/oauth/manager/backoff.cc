#include "oauth/manager/backoff.h"

#include <algorithm>
#include <random>

namespace goondan::oauth {
namespace {

constexpr int kMaxDoublings = 5;
constexpr std::int64_t kLongestPause = 60;

std::int64_t pause_after(int failures) {
  const std::int64_t base = std::int64_t{2} << std::min(failures - 1, kMaxDoublings);
  std::random_device random;
  const std::int64_t jitter = std::uniform_int_distribution<std::int64_t>(0, base / 2)(random);
  return std::min(base + jitter, kLongestPause);
}

}  // namespace

std::int64_t Backoff::wait_for(const RecordName& name, std::int64_t now) const {
  const std::scoped_lock lock(mutex_);
  const auto found = pauses_.find(name);
  if (found == pauses_.end()) return 0;
  const std::int64_t left = found->second.until - now;
  // A clock that was set back must not make the pause longer.
  return left > kLongestPause ? 0 : std::max<std::int64_t>(left, 0);
}

void Backoff::failed(const RecordName& name, std::int64_t now) {
  const std::scoped_lock lock(mutex_);
  Pause& pause = pauses_[name];
  pause.until = now + pause_after(++pause.failures);
}

void Backoff::succeeded(const RecordName& name) {
  const std::scoped_lock lock(mutex_);
  pauses_.erase(name);
}

}  // namespace goondan::oauth
