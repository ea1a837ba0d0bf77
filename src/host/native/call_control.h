// What the worker's two threads share: the call that runs, whether it is cancelled, and the answers
// to its requests.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>

#include "host/native/call_bridge.h"

namespace goondan {

// Thread-safe. Calls have growing numbers and run one after the other.
class CallControl {
 public:
  // The call `id` begins; its stop token. Already stopped if the cancellation came first.
  std::stop_token begin(std::uint64_t id);
  // The call is over: requests that still wait get no answer.
  void end();

  void cancel(std::uint64_t id);

  std::uint64_t next_request();
  void answer(std::uint64_t request, RawReply reply);
  // Waits for the answer; nothing if the call is cancelled first.
  std::optional<RawReply> wait_for_answer(std::uint64_t request);

 private:
  std::mutex mutex_;
  std::condition_variable_any answered_;
  std::uint64_t current_ = 0;
  std::uint64_t cancelled_ = 0;  // the highest number that was cancelled
  std::uint64_t last_request_ = 0;
  std::stop_source stop_;
  // An empty place for each request that waits.
  std::map<std::uint64_t, std::optional<RawReply>> answers_;
};

}  // namespace goondan
