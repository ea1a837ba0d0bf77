#include "host/peer/side_requests.h"

namespace goondan::peer {

SideRequests::~SideRequests() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return running_ == 0; });
}

void SideRequests::run(const std::function<void()>& job) {
  std::unique_lock lock(mutex_);
  if (running_ >= kMaxSideRequests) {
    lock.unlock();
    return job();
  }
  ++running_;
  lock.unlock();
  const Result<void> started = threads_.start([this, job] {
    job();
    const std::scoped_lock done(mutex_);
    --running_;
    changed_.notify_all();  // under the lock: the owner may go as soon as it is free
  });
  if (started.ok()) return;
  lock.lock();
  --running_;
  lock.unlock();
  job();
}

}  // namespace goondan::peer
