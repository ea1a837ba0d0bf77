#include "mcp/job_line.h"

#include <utility>

namespace goondan::mcp {

JobLine::Taken JobLine::add(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  if (closed_) return Taken::Closed;
  if (jobs_.size() >= most_) return Taken::TooMany;
  jobs_.push_back(std::move(job));
  if (!worker_.joinable()) {
    worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  }
  wake_.notify_one();
  return Taken::Yes;
}

void JobLine::work(const std::stop_token& stop) {
  while (true) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
      if (stop.stop_requested()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

void JobLine::close() {
  std::jthread worker;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    worker = std::move(worker_);
  }
  worker.request_stop();
  if (worker.joinable()) worker.join();
}

}  // namespace goondan::mcp
