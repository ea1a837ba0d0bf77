#include "oauth/service/workers.h"

namespace goondan::oauth {

ServiceWorkers::~ServiceWorkers() {
  stop_.request_stop();
  threads_.clear();  // joins
}

void ServiceWorkers::run(Job job) {
  const std::scoped_lock lock(mutex_);
  jobs_.push_back(std::move(job));
  if (idle_ < jobs_.size() && threads_.size() < kMaxServiceWorkers)
    threads_.emplace_back([this] { work(); });
  wake_.notify_one();
}

void ServiceWorkers::work() {
  const std::stop_token stop = stop_.get_token();
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    ++idle_;
    const bool found = wake_.wait(lock, stop, [this] { return !jobs_.empty(); });
    --idle_;
    if (!found || stop.stop_requested()) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job(stop);
    lock.lock();
  }
}

}  // namespace goondan::oauth
