// Observations on their way to the orchestrator: gathered for a few milliseconds and sent together
// by a thread of their own, so that no turn waits for whoever watches.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "agent/link.h"
#include "agent/turn_runner.h"
#include "base/redactor.h"

namespace goondan::agent {

// How long the first of a batch waits for others.
inline constexpr std::chrono::milliseconds kBatchTime{4};
inline constexpr std::size_t kMaxBatchBytes = std::size_t{256} << 10;
// What is larger is cut.
inline constexpr std::size_t kMaxObservationBytes = std::size_t{128} << 10;
// Pieces of an answer are put together up to this.
inline constexpr std::size_t kMaxDeltaBytes = std::size_t{32} << 10;
// With so much unsent, pieces of answers, progress and logs are dropped.
inline constexpr std::size_t kMaxPendingBytes = std::size_t{1} << 20;
// With so much, everything is.
inline constexpr std::size_t kMaxPendingAtAll = std::size_t{8} << 20;

// Thread-safe. Borrows the link.
class Outbox final : public EventSink {
 public:
  struct Names {
    std::string agent;
    std::string instance_key;
  };

  Outbox(Link& link, Names names, std::shared_ptr<const Redactor> redactor);
  // Sends nothing any more.
  ~Outbox() override;

  // Adds the time and the names, and masks secrets. Never waits for the orchestrator.
  void observe(JsonObject observation) override;

  // Sends all that has been observed so far, on the caller's thread; what the caller sends next
  // comes after it. An error: the orchestrator is gone.
  Result<void> flush();

 private:
  struct Pending {
    JsonObject observation;
    std::size_t bytes = 0;
  };

  void run(const std::stop_token& stop);
  bool merge_delta(const JsonObject& observation);
  JsonArray take_batch();

  Link& link_;
  const Names names_;
  const std::shared_ptr<const Redactor> redactor_;
  std::mutex send_mutex_;  // held while a batch is sent: batches keep their order
  std::mutex mutex_;       // of what follows
  std::condition_variable_any wake_;
  std::deque<Pending> pending_;
  std::size_t bytes_ = 0;
  std::jthread sender_;
};

// `observation` with long texts cut and deep values as text, so that it takes at most
// `kMaxObservationBytes`. For tests.
JsonObject bounded_observation(JsonObject observation);

}  // namespace goondan::agent
