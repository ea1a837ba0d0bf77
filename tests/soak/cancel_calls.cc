// Calls of every sort, cancelled at random moments (R7): each has exactly one result, soon, and
// nothing is left of them: no process, no thread, no descriptor.
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>

#include "call_findings.h"
#include "call_world.h"
#include "process_state.h"
#include "soak_options.h"

namespace goondan::soak {
namespace {

constexpr Counts kCalls{.full = 5'000, .brief = 500};
constexpr std::uint64_t kWarmUp = 50;
constexpr int kLanes = 8;              // batches at a time
constexpr std::uint64_t kBatch = 4;    // calls in one, at most
constexpr double kLongestDelay = 0.2;  // seconds until a batch is cancelled
constexpr double kShortestDelay = 1e-5;
constexpr std::chrono::seconds kRest{5};          // to come to rest
constexpr std::chrono::milliseconds kQuiet{300};  // without a change it has

// Requests a stop after a while, unless it is destroyed before that.
class Canceller {
 public:
  Canceller(std::stop_source& source, Clock::duration delay)
      : thread_([this, &source, end = Clock::now() + delay](const std::stop_token& leave) {
          std::mutex mutex;
          std::condition_variable_any wake;
          std::unique_lock lock(mutex);
          wake.wait_until(lock, leave, end, [] { return false; });
          if (leave.stop_requested()) return;
          when_ = Clock::now();
          source.request_stop();
        }) {}

  // When it was; nothing if that was not needed any more.
  std::optional<Deadline> end() {
    thread_.request_stop();
    thread_.join();
    return when_;
  }

 private:
  std::optional<Deadline> when_ = {};
  std::jthread thread_;  // last: it uses the others
};

void run_batch(const CallWorld& world, std::uint64_t first, std::uint64_t count,
               std::mt19937_64& random, Findings& findings) {
  std::vector<ToolCall> calls;
  for (std::uint64_t i = 0; i < count; ++i)
    calls.push_back(world.call("c" + std::to_string(first + i), random));
  const double share = std::uniform_real_distribution<>(0, 1)(random);
  const double delay = kShortestDelay * std::pow(kLongestDelay / kShortestDelay, share);
  std::stop_source source;
  Canceller canceller(
      source, std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(delay)));
  const std::vector<ToolCallResult> results = world.run(calls, source.get_token());
  const std::optional<Deadline> cancelled = canceller.end();
  if (results.size() != calls.size()) {
    return findings.problem(std::to_string(calls.size()) + " calls, " +
                            std::to_string(results.size()) + " results");
  }
  for (std::size_t i = 0; i < calls.size(); ++i)
    findings.result(calls[i], results[i], world.ledger().entry(calls[i].id), cancelled);
}

// Returns how many handlers came back after their call had been answered.
std::size_t run_calls(std::uint64_t seed, std::uint64_t calls, Findings& findings) {
  const CallWorld world;
  std::atomic<std::uint64_t> next = 0;
  std::vector<std::jthread> lanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    lanes.emplace_back([&, lane] {
      std::mt19937_64 random(seed * kLanes + static_cast<std::uint64_t>(lane));
      while (true) {
        const std::uint64_t count = 1 + random() % kBatch;
        const std::uint64_t first = next.fetch_add(count);
        if (first >= calls) break;
        run_batch(world, first, std::min(count, calls - first), random, findings);
      }
    });
  }
  lanes.clear();
  if (!world.settle()) findings.problem("handlers did not come back");
  return world.late_returns();
}

// What there is once threads that have nothing more to do are gone.
ProcessState state_at_rest() {
  ProcessState state;
  const Deadline end = Clock::now() + kRest;
  for (Deadline since = Clock::now(); since + kQuiet > Clock::now() && Clock::now() < end;) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0)
      continue;
    const ProcessState now = process_state();
    if (now != state) since = Clock::now();
    state = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return state;
}

int run(const SoakOptions& options) {
  ::setenv("GOONDAN_GDN", options.gdn.c_str(), 1);
  adopt_orphans();
  Findings warm;
  run_calls(options.seed + 1, kWarmUp, warm);
  const ProcessState before = state_at_rest();
  const std::size_t memory = resident_bytes();
  const Deadline begun = Clock::now();
  Findings findings;
  const std::size_t late = run_calls(options.seed, options.count, findings);
  const std::chrono::duration<double> took = Clock::now() - begun;
  const ProcessState after = state_at_rest();
  std::vector<std::string> problems = findings.problems();
  if (after != before) problems.push_back("before: " + before.text() + "; after: " + after.text());
  findings.print_tools();
  const std::size_t now = resident_bytes();
  std::array<char, 160> more{};
  std::snprintf(more.data(), more.size(),
                " calls in %.1f s, %zu late returns, memory %.1f to %.1f MiB; ", took.count(), late,
                static_cast<double>(memory) / 1048576.0, static_cast<double>(now) / 1048576.0);
  return finish(options, std::to_string(options.count) + more.data() + findings.text(), problems);
}

}  // namespace
}  // namespace goondan::soak

int main(int argc, char** argv) {
  using namespace goondan::soak;
  return run(read_options(argc, argv, kCalls));
}
