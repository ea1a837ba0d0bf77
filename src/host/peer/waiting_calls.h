// The calls that wait for replies, and what has come for each of them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>

#include <goondan/tool_context.h>

#include "host/peer/peer_frames.h"

namespace goondan::peer {

// What one call may leave unserved; more is a flood. What is only said (`log`, `progress`,
// `events.emit`) is dropped when half of this is there, so that one who talks a lot can still ask
// for something.
inline constexpr std::size_t kMaxQueuedMessages = 8192;
// The texts of everything that is unserved, of all calls together; of what is only said half.
inline constexpr std::size_t kMaxQueuedBytes = std::size_t{256} << 20;

// What a warm child needs for a small call. For so long a caller does not sleep: to be woken would
// take it a third of the time again.
inline constexpr std::chrono::microseconds kReplySpin{150};

// Thread-safe. Callers wait; one other thread delivers.
class WaitingCalls {
 public:
  // The place of one call, from before it is sent until its caller returns. Confined to the caller.
  class Place {
   public:
    Place(WaitingCalls& calls, std::uint64_t id);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    enum class Wake { Message, Ended, TimedOut, Stopped };
    struct Event {
      Wake wake = Wake::Ended;
      Incoming message = {};
    };
    // What is next. A stop and the deadline count before messages, so that one who never stops
    // talking cannot hold the caller.
    Event next(Deadline deadline, const std::stop_token& stop);

    // Makes `next` look at its stop token; from any thread.
    void wake();

   private:
    friend class WaitingCalls;
    WaitingCalls& calls_;
    std::uint64_t id_;
    std::condition_variable changed_;
    std::atomic<bool> told_ = false;  // something may be there for `next`
    std::deque<Incoming> queue_;
    std::size_t dropped_ = 0;
  };

  enum class Delivery { Taken, Dropped, NoSuchCall, Flood };
  // Moves from `message` only if it is taken. How many were dropped is logged before the reply.
  Delivery deliver(Incoming& message);

  // Fails all calls, also those that are still to come.
  void end(Error error);
  // What `end` was given; to be asked after `Wake::Ended`.
  [[nodiscard]] Error end_error() const;
  [[nodiscard]] bool ended() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Place*> places_;
  std::size_t queued_bytes_ = 0;
  std::optional<Error> end_error_;
};

}  // namespace goondan::peer
