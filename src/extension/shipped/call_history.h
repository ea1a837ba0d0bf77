// Which calls of a turn have repeated themselves, and how often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include <goondan/tool.h>

namespace goondan::shipped {

// The same for the same tool with the same arguments, whatever the order of their keys.
std::uint64_t call_key(std::string_view tool, const Json& arguments);

// The same for results that say the same. Fields that measure the call itself (`durationMs`, `date`
// and the like) do not count.
std::uint64_t outcome_key(const ToolCallResult& result);

// A call that the turn has not seen before is progress: what repeated itself until then, say the
// tests that are run after every change, may do so again. What repeats without any such call is a
// loop, of however many calls it consists.
//
// Thread-safe. Knows one turn; forgets it when it hears of another.
class CallHistory {
 public:
  // `stop_at`: the first repetition that is not run any more.
  explicit CallHistory(std::size_t stop_at) : stop_at_(stop_at) {}

  // Whether the call may run. If not, this counts as a refusal.
  bool may_run(const std::string& turn_id, std::uint64_t call);

  // The call has ended. How often it has given this outcome, this time included.
  std::size_t note(const std::string& turn_id, std::uint64_t call, std::uint64_t outcome);

  // How many calls were refused since the last progress.
  std::size_t refusals(const std::string& turn_id);

 private:
  struct Repeats {
    std::uint64_t outcome;
    std::size_t since_progress;
    std::size_t in_turn;
  };

  // With progress in between, a call may repeat itself so many times longer.
  static constexpr std::size_t kProgressFactor = 4;
  static constexpr std::size_t kMaxCalls = 4096;

  void look_at(const std::string& turn_id);

  const std::size_t stop_at_;
  std::mutex mutex_;
  std::string turn_id_;
  std::unordered_map<std::uint64_t, Repeats> calls_;
  std::size_t refusals_ = 0;
};

}  // namespace goondan::shipped
