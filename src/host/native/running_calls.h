// The calls that an extension's worker works on at a time, and the answers they wait for.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>

#include <goondan/tool_context.h>

#include "host/native/call_bridge.h"

namespace goondan {

// Layers wait in `next()` while those inside them run, so that a queue could wait for itself: more
// calls than this at a time are refused instead.
inline constexpr std::size_t kMaxRunningCalls = 256;

// Thread-safe.
class RunningCalls {
 public:
  // The stop token of the call that begins; nothing if there are too many.
  std::optional<std::stop_token> begin(std::uint64_t id);
  void end(std::uint64_t id);
  void cancel(std::uint64_t id);

  // Whether calls that were cancelled still run.
  [[nodiscard]] bool any_cancelled() const;
  // Whether nothing else runs, and the last of them was cancelled before `since`.
  [[nodiscard]] bool only_stuck(Deadline since) const;

  std::uint64_t next_request();
  void answer(std::uint64_t request, RawReply reply);
  // Waits for the answer; nothing if the stop comes first.
  std::optional<RawReply> wait_for_answer(std::uint64_t request, const std::stop_token& stop);

 private:
  struct Call {
    std::stop_source stop = {};
    std::optional<Deadline> cancelled = {};  // when
  };

  mutable std::mutex mutex_;
  std::condition_variable_any answered_;
  std::map<std::uint64_t, Call> calls_;
  std::uint64_t last_request_ = 0;
  // An empty place for each request that waits.
  std::map<std::uint64_t, std::optional<RawReply>> answers_;
};

}  // namespace goondan
