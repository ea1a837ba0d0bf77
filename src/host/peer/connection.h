// What the callers of one child and the thread that reads from it share.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <goondan/result.h>

#include "host/peer/outbox.h"
#include "host/peer/waiting_calls.h"
#include "os/unique_fd.h"

namespace goondan::peer {

// How long a child may be silent when it was asked for a sign of life.
inline constexpr std::chrono::seconds kSilentTime{5};

// Thread-safe. Shared, because an answer may still be under way when the child has been replaced.
class Connection {
 public:
  static Result<std::shared_ptr<Connection>> make(os::UniqueFd socket);
  Connection(os::UniqueFd socket, os::UniqueFd reader_event);

  Outbox& outbox() { return outbox_; }
  WaitingCalls& calls() { return calls_; }
  [[nodiscard]] int socket() const { return socket_.get(); }

  std::uint64_t new_id();

  // Sends what was asked for. A child that asks without end and never reads is ended.
  void answer(std::string frame);

  // Asks for a sign of life: a call that is answered in any way, by `kSilentTime`.
  void ask_for_life();
  // Whether `id` is the call of `ask_for_life`, which is then no longer due.
  bool is_sign_of_life(std::uint64_t id);
  // When the child counts as stuck.
  [[nodiscard]] Deadline life_due() const;

  // Orders the reader to end the child; the first order counts.
  void order_end(Error why);
  [[nodiscard]] std::optional<Error> ordered_end() const;

  enum class Phase { Starting, Ready, Ended, Finished };
  void set_phase(Phase phase);
  [[nodiscard]] Phase phase() const;
  // Waits until it is at least this far. The reader sees to it that this takes no longer than the
  // child may take to start and to end.
  Phase await_phase(Phase phase);

  // Readable when the reader should look at the outbox and at its orders.
  [[nodiscard]] int reader_event() const { return reader_event_.get(); }
  void wake_reader();

 private:
  os::UniqueFd socket_;
  os::UniqueFd reader_event_;
  Outbox outbox_;
  WaitingCalls calls_;
  mutable std::mutex mutex_;
  std::condition_variable phase_changed_;
  Phase phase_ = Phase::Starting;
  std::uint64_t last_id_ = 0;
  std::uint64_t life_id_ = 0;  // 0: no sign of life is awaited
  Deadline life_due_ = Deadline::max();
  std::optional<Error> order_;
};

}  // namespace goondan::peer
