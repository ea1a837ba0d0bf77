// The one loop of the orchestrator: descriptors, timers, and work put off to the end of a round.
//
// Confined to one thread. What it calls may watch, cancel and defer as it likes, and may destroy
// the watch or timer it was called for. A `Watch` goes before its descriptor is closed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <sys/epoll.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "os/unique_fd.h"

namespace goondan::orchestrator {

class Loop {
 public:
  using Ready = std::function<void(std::uint32_t events)>;  // `EPOLLIN` and its kin
  using Action = std::function<void()>;

  // Ends the watching of a descriptor when it goes.
  class Watch {
   public:
    Watch() = default;
    Watch(Watch&& other) noexcept;
    Watch& operator=(Watch&& other) noexcept;
    ~Watch() { end(); }

    void end();
    [[nodiscard]] bool watching() const { return loop_ != nullptr; }
    // What to wait for from now on.
    void want(std::uint32_t events);

   private:
    friend class Loop;
    Watch(Loop& loop, std::uint64_t id) : loop_(&loop), id_(id) {}
    Loop* loop_ = nullptr;
    std::uint64_t id_ = 0;
  };

  // Cancels the action when it goes, unless it has run.
  class Timer {
   public:
    Timer() = default;
    Timer(Timer&& other) noexcept;
    Timer& operator=(Timer&& other) noexcept;
    ~Timer() { cancel(); }

    void cancel();
    [[nodiscard]] bool pending() const;

   private:
    friend class Loop;
    using Key = std::pair<Deadline, std::uint64_t>;
    Timer(Loop& loop, Key key) : loop_(&loop), key_(key) {}
    Loop* loop_ = nullptr;
    Key key_ = {};
  };

  static Result<std::unique_ptr<Loop>> make();

  Result<Watch> watch(int fd, std::uint32_t events, Ready ready);
  [[nodiscard]] Timer at(Deadline when, Action action);
  // To be done at the end of the round; for what must not happen in the middle of a call.
  void defer(Action action);

  // Waits for something to happen, not past `limit`, and does what follows from it.
  void round(Deadline limit);

 private:
  struct Entry {
    int fd;
    std::uint32_t events;
    Ready ready;
  };

  explicit Loop(os::UniqueFd epoll) : epoll_(std::move(epoll)) {}
  [[nodiscard]] int wait_time(Deadline limit) const;
  void run_ready(int timeout_ms);
  void run_due();
  void run_deferred();

  os::UniqueFd epoll_;
  std::uint64_t last_id_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<Entry>> entries_;  // shared with a running call
  std::map<Timer::Key, Action> timers_;
  std::vector<Action> deferred_;
};

}  // namespace goondan::orchestrator
