// All sorts of tools behind the one executor, and calls of them that would take long.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include <goondan/goondan.h>

#include "call_findings.h"
#include "silent_server.h"

namespace goondan::soak {

// Shell commands, requests to a server that does not answer, a plugin in worker processes, handlers
// on threads of their own, and work on texts. Thread-safe once it is made.
class CallWorld {
 public:
  CallWorld();
  ~CallWorld();
  CallWorld(const CallWorld&) = delete;
  CallWorld& operator=(const CallWorld&) = delete;

  // A call of a random one.
  ToolCall call(std::string id, std::mt19937_64& random) const;
  std::vector<ToolCallResult> run(const std::vector<ToolCall>& calls, std::stop_token stop) const;
  // Whether all handlers have come back in time.
  bool settle() const;

  [[nodiscard]] const Ledger& ledger() const { return *ledger_; }
  [[nodiscard]] std::size_t late_returns() const { return executor_->stats().late_returns; }

 private:
  void add(std::string name, ToolHandler handler);
  void add_plugin();

  SilentServer server_;
  std::filesystem::path folder_;
  std::string url_;
  ToolRegistry registry_;
  std::shared_ptr<Ledger> ledger_ = std::make_shared<Ledger>();
  std::optional<ToolCatalog> catalog_;
  std::optional<ToolExecutor> executor_;
  std::shared_ptr<const CallScope> scope_;
};

}  // namespace goondan::soak
