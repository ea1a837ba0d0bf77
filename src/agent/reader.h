// Hears what the orchestrator says to an agent process.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "agent/inbox.h"
#include "agent/link.h"
#include "agent/runtime_client.h"
#include "agent/turn_runner.h"
#include "store/instance_store.h"

namespace goondan::agent {

// How long the calls of an agent whose orchestrator is gone have to end, with all they started.
inline constexpr std::chrono::seconds kEndTime{8};

// What messages are for, once the agent has started. Borrowed.
struct RunningAgent {
  store::InstanceStore& store;
  RuntimeClient& runtime;
  TurnRunner& runner;
};

// A thread that reads from the beginning: also while the agent is still starting. Turns go into the
// inbox; all else is done at once. If the orchestrator is gone, everything is cancelled, and the
// process is ended if it does not end by itself within `kEndTime`.
class Reader {
 public:
  // Borrows both; `inbox` is closed when no more turns are to be taken.
  Reader(Link& link, Inbox& inbox);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // From now on messages are for `agent`, which must live until `stop`.
  void attach(const RunningAgent& agent);
  // Hears nothing more, and returns when nothing of `agent` is used any more.
  void stop();

  // Requested when the agent is to end, whether it has started or not.
  [[nodiscard]] std::stop_token ending() const { return ending_.get_token(); }

  enum class End { None, Shutdown, Gone };
  [[nodiscard]] End end() const { return end_.load(); }

 private:
  void run(const std::stop_token& stop);
  void on_message(const ipc::Message& message);
  void on_event(const ipc::Message& message);
  void on_turn(const ipc::Message& message);
  void on_injection(const JsonObject& payload);
  void on_shutdown(const JsonObject& payload);
  void on_interrupt_time();
  void on_gone(const std::stop_token& stop);

  Link& link_;
  Inbox& inbox_;
  std::stop_source ending_;
  std::atomic<End> end_ = End::None;
  Deadline interrupt_at_ = Deadline::max();  // the reading thread's own
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  const RunningAgent* agent_ = nullptr;
  std::jthread thread_;
};

}  // namespace goondan::agent
