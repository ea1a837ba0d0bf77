// The requests that wait for their answers.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan::mcp {

// Thread-safe. One thread waits for each id; any thread brings the answers.
class PendingRequests {
 public:
  // Before the request is sent. Fails with what `fail_all` was given once that has been called, and
  // with `E_LIMIT` if too many wait.
  Result<void> add(std::int64_t id);

  // The answer, or what it failed with; `E_TOOL_TIMEOUT` and `E_TOOL_CANCELLED` if it did not come.
  // The id is then forgotten.
  Result<Json> wait(std::int64_t id, Deadline deadline, const std::stop_token& stop);
  void forget(std::int64_t id);

  enum class Taken { Yes, No };
  // `No`: nobody waits for this (any more).
  Taken answer(std::int64_t id, Result<Json> answer);

  // The id that waits, if it is the only one.
  [[nodiscard]] std::optional<std::int64_t> only_one() const;

  // All that wait and all that come later fail with `error`.
  void fail_all(const Error& error);
  [[nodiscard]] std::optional<Error> failure() const;

 private:
  struct Slot {
    std::condition_variable_any ready;
    std::optional<Result<Json>> answer;
    std::atomic<bool> answered = false;  // `answer` is there, or is about to be
  };

  mutable std::mutex mutex_;
  std::map<std::int64_t, std::shared_ptr<Slot>> slots_;  // shared: the waiting thread keeps its own
  std::optional<Error> failure_;
};

// What a small call of a warm server takes. For so long nobody sleeps: to be woken would take as
// long again.
inline constexpr std::chrono::microseconds kAnswerSpin{150};

// How many requests may wait for one server.
inline constexpr std::size_t kMaxPendingRequests = 1'000;

}  // namespace goondan::mcp
