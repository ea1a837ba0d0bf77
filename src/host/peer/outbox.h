// What we send to the other side: whole messages from many threads, and none of them ever waits for
// a reader that does not read, except for room.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>

#include <goondan/tool_context.h>

namespace goondan::peer {

// Bytes that are kept for a reader that is slow. One message always has room.
inline constexpr std::size_t kMaxUnsentBytes = std::size_t{64} << 20;

// Thread-safe. Borrows the socket, and an eventfd by which it asks its flusher to come.
class Outbox {
 public:
  Outbox(int socket, int flusher) : socket_(socket), flusher_(flusher) {}
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  enum class Sent { Yes, Full, Closed, TimedOut, Stopped };

  // Sends what goes at once and keeps the rest. `Full`: nothing was taken.
  Sent offer(std::string frame, std::uint64_t call = 0);
  // Like it, but waits for room.
  Sent send(std::string frame, std::uint64_t call, Deadline deadline, const std::stop_token& stop);

  // Takes the frame of a call back; whether nothing of it had been sent.
  bool withdraw(std::uint64_t call);

  // For the flusher, once the socket is writable.
  void flush();
  [[nodiscard]] bool pending() const;

  // Forgets what is unsent, and takes nothing more.
  void close();

 private:
  struct Frame {
    std::uint64_t call;
    std::string bytes;
  };

  [[nodiscard]] bool has_room(std::size_t size) const;
  Sent put(std::string frame, std::uint64_t call);
  bool send_front();

  int socket_;
  int flusher_;
  mutable std::mutex mutex_;
  std::condition_variable_any room_;
  std::deque<Frame> frames_;
  std::size_t sent_ = 0;    // of the first frame
  std::size_t unsent_ = 0;  // of all
  enum class Phase { Open, Closed } phase_ = Phase::Open;
};

}  // namespace goondan::peer
