// Requests to the orchestrator that are under way, and the threads that wait for their answers.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan::agent {

// Matched by id and nothing else; an answer that nobody waits for (any more) is dropped.
// Thread-safe.
class RequestWaits {
 public:
  // Until when somebody waits.
  struct Limit {
    Deadline deadline;
    const std::stop_token& stop;
  };

  // One request; its end is the end of waiting. Begin it before the request is sent.
  class Wait {
   public:
    Wait(RequestWaits& waits, std::string id);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

    // Whether it was accepted, or its answer. Fails with `E_TOOL_TIMEOUT` at the deadline, with
    // `E_TOOL_CANCELLED` on a stop, with `E_AGENT_STOPPED` once the orchestrator is gone.
    Result<Json> reply(const Limit& limit);
    // What another agent answered: the payload of a `delegate_result`.
    Result<Json> result(const Limit& limit);

   private:
    RequestWaits& waits_;
    const std::string id_;
  };

  void on_reply(std::string_view id, Result<Json> answer);
  void on_result(std::string_view id, Json payload);
  // Ends all waits, those that will begin included.
  void on_gone();

 private:
  struct Entry {
    std::optional<Result<Json>> reply = {};
    std::optional<Json> result = {};
    std::condition_variable_any wake = {};
  };

  template <class Ready>
  Result<void> wait(std::unique_lock<std::mutex>& lock, Entry& entry, const Limit& limit,
                    Ready ready);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries_;
  bool gone_ = false;
};

}  // namespace goondan::agent
