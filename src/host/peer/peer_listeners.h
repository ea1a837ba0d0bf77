// Those who hear what comes outside of calls, and the thread on which they hear it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/peer/peer.h"
#include "host/peer/peer_frames.h"
#include "tool/worker_threads.h"

namespace goondan::peer {

// Messages that wait for listeners; more are dropped, and requests among them refused.
inline constexpr std::size_t kMaxHeard = 4096;
inline constexpr std::size_t kMaxHeardBytes = std::size_t{64} << 20;

// Thread-safe. The destructor waits until the listeners have been told everything.
class PeerListeners {
 public:
  // `threads` must outlive it.
  explicit PeerListeners(WorkerThreads& threads) : threads_(threads) {}
  ~PeerListeners();
  PeerListeners(const PeerListeners&) = delete;
  PeerListeners& operator=(const PeerListeners&) = delete;

  void add(std::shared_ptr<PeerListener> listener);

  // Takes the frame of an answer back to who asked. Called once, on any thread.
  using Answer = std::function<void(std::string frame)>;
  // Tells the listeners, one message after the other, on a thread of their own; never waits.
  void post(Incoming message, Answer answer = {});

 private:
  struct Item {
    Incoming message;
    Answer answer;
  };

  void drain();
  void tell(const Item& item) const;
  [[nodiscard]] std::vector<std::shared_ptr<PeerListener>> listeners() const;

  WorkerThreads& threads_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::vector<std::shared_ptr<PeerListener>> listeners_;
  std::deque<Item> items_;
  std::size_t bytes_ = 0;
  std::size_t dropped_ = 0;  // since the last that was taken
  enum class Phase { Idle, Telling, Closed } phase_ = Phase::Idle;
};

}  // namespace goondan::peer
