// A few threads for what takes seconds: exchanges of codes and polls.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace goondan::oauth {

inline constexpr std::size_t kMaxServiceWorkers = 4;

// Thread-safe. Threads are started when there is work for them; the end asks jobs to stop and waits
// for those that run, and forgets the others.
class ServiceWorkers {
 public:
  using Job = std::function<void(const std::stop_token&)>;

  ServiceWorkers() = default;
  ServiceWorkers(const ServiceWorkers&) = delete;
  ServiceWorkers& operator=(const ServiceWorkers&) = delete;
  ~ServiceWorkers();

  void run(Job job);

 private:
  void work();

  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Job> jobs_;
  std::size_t idle_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace goondan::oauth
