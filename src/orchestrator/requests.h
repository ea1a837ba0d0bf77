// Accepted requests of agents to agents that have no answer yet: who asked, and as which process.
//
// Only a table; `handoffs.h` fills it, `deliveries.h` answers. Thread-compatible.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/dispatcher.h"
#include "orchestrator/queues.h"
#include "orchestrator/timers.h"
#include "store/journal.h"

namespace goondan::orchestrator {

struct Request {
  store::RequestRecord record = {};
  // The process that waits for a blocking request. An answer goes to no other one; 0: to none.
  Generation caller = 0;
  std::optional<Timers::Id> timer = {};

  [[nodiscard]] InstanceName caller_name() const {
    return {record.caller_agent, record.caller_instance_key};
  }
  [[nodiscard]] InstanceName target_name() const {
    return {record.target, record.target_instance_key};
  }
  [[nodiscard]] bool async() const { return record.mode == store::RequestRecord::Mode::Async; }
};

class Requests {
 public:
  Request* find(std::string_view correlation_id);
  // The open request that `message_id` carries to its target.
  Request* find_message(std::string_view message_id, const InstanceName& caller);
  Request& add(Request request);
  void erase(std::string_view correlation_id);

  // The correlation ids of what this instance has asked.
  [[nodiscard]] std::vector<std::string> asked_by(const InstanceName& caller) const;

 private:
  std::map<std::string, Request, std::less<>> requests_;
  std::map<std::string, std::string, std::less<>> correlation_of_;  // by the message's id
  std::map<InstanceName, std::set<std::string, std::less<>>> asked_;
};

}  // namespace goondan::orchestrator
