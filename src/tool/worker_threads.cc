#include "tool/worker_threads.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/spin.h"

namespace goondan {

// Shared with the threads, which may outlive the owner.
struct WorkerThreads::Shared {
  // A parked thread's mailbox; its address is stable while the thread waits in it.
  struct Seat {
    std::condition_variable wake;
    Job job;
    std::atomic<bool> called = false;
    enum class Posture { Looking, Asleep } posture = Posture::Looking;
  };

  std::mutex mutex;
  std::condition_variable all_left;
  std::vector<Seat*> idle;
  const Seat* looker = nullptr;  // the one thread that looks for work before it sleeps
  std::size_t parked = 0;        // threads inside `next_job`, woken or not
  std::size_t max_idle;
  enum class Phase { Open, Closing } phase = Phase::Open;

  explicit Shared(std::size_t limit) : max_idle(limit) {}

  // The next job for a thread that has none; empty if the thread should end.
  Job next_job() {
    Seat seat;
    bool look = false;
    {
      const std::lock_guard lock(mutex);
      if (phase == Phase::Closing || idle.size() >= max_idle) return {};
      idle.push_back(&seat);
      ++parked;
      // One thread that looks is enough; more would take the processor from those that work.
      look = looker == nullptr;
      if (look) looker = &seat;
    }
    if (look) spin_until([&seat] { return seat.called.load(std::memory_order_acquire); });
    std::unique_lock lock(mutex);
    if (look) looker = nullptr;
    seat.posture = Seat::Posture::Asleep;
    seat.wake.wait(lock, [&] { return seat.called || phase == Phase::Closing; });
    if (!seat.called) std::erase(idle, &seat);
    if (--parked == 0) all_left.notify_all();
    return std::move(seat.job);
  }

  static void run(const std::shared_ptr<Shared>& shared, Job job) {
    while (job) {
      job();
      job = nullptr;  // what it held must not wait for the next job, nor outlive the owner
      job = shared->next_job();
    }
  }
};

WorkerThreads::WorkerThreads(std::size_t max_idle) : shared_(std::make_shared<Shared>(max_idle)) {}

WorkerThreads::~WorkerThreads() {
  std::unique_lock lock(shared_->mutex);
  shared_->phase = Shared::Phase::Closing;
  for (Shared::Seat* seat : shared_->idle)
    seat->wake.notify_one();
  shared_->all_left.wait(lock, [this] { return shared_->parked == 0; });
}

Result<void> WorkerThreads::start(Job job) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (!shared_->idle.empty()) {
      Shared::Seat* seat = shared_->idle.back();
      shared_->idle.pop_back();
      seat->job = std::move(job);
      seat->called.store(true, std::memory_order_release);
      if (seat->posture == Shared::Seat::Posture::Asleep) seat->wake.notify_one();
      return {};
    }
  }
  // The standard library reports a refused thread by an exception; here it becomes an error.
  try {
    std::thread(Shared::run, shared_, std::move(job)).detach();
  } catch (const std::system_error& error) {
    return Error{.code = ErrorCode::ToolBusy,
                 .message = std::string("no thread for the call: ") + error.what(),
                 .suggestion = "Try again when other work has finished."};
  }
  return {};
}

}  // namespace goondan
