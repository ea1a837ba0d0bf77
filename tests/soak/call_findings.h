// What became of many calls: how often each began and ended, whether its result is one that it may
// have, and how long a cancellation took.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <goondan/executor.h>

namespace goondan::soak {

// How often each call began and ended, and when. Thread-safe.
class Ledger final : public CallObserver {
 public:
  struct Entry {
    int starts = 0;
    int ends = 0;
    Deadline ended = {};
  };

  void on_start(const ToolCall& call) override {
    const std::scoped_lock lock(mutex_);
    ++entries_[call.id].starts;
  }
  void on_end(const ToolCall& call, const ToolCallResult&, std::chrono::nanoseconds) override {
    const std::scoped_lock lock(mutex_);
    Entry& entry = entries_[call.id];
    ++entry.ends;
    entry.ended = Clock::now();
  }
  Entry entry(const std::string& id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = entries_.find(id);
    return found == entries_.end() ? Entry{} : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

// What came out of the calls. Thread-safe.
class Findings {
 public:
  void problem(std::string text);
  // `cancelled`: when that was, if it was before the calls had ended.
  void result(const ToolCall& call, const ToolCallResult& result, const Ledger::Entry& entry,
              std::optional<Deadline> cancelled);

  [[nodiscard]] std::vector<std::string> problems() const { return problems_; }
  void print_tools() const;                // a line for each
  [[nodiscard]] std::string text() const;  // all together

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> problems_;
  std::size_t results_ = 0;
  std::map<std::string, std::vector<double>> times_;  // of each tool, in milliseconds
};

}  // namespace goondan::soak
