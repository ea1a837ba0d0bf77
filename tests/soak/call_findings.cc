#include "call_findings.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace goondan::soak {
namespace {

std::string percentiles(std::vector<double> times) {
  if (times.empty()) return "none";
  std::ranges::sort(times);
  const auto at = [&times](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  std::array<char, 100> text{};
  std::snprintf(text.data(), text.size(), "p50 %.1f ms, p99 %.1f ms, longest %.1f ms", at(0.5),
                at(0.99), times.back());
  return text.data();
}

}  // namespace

void Findings::problem(std::string text) {
  const std::scoped_lock lock(mutex_);
  problems_.push_back(std::move(text));
}

void Findings::result(const ToolCall& call, const ToolCallResult& result,
                      const Ledger::Entry& entry, std::optional<Deadline> cancelled) {
  const bool stopped = !result.ok() && result.error->code == ErrorCode::ToolCancelled;
  if (result.tool_call_id != call.id) problem("the result of " + call.id + " is another's");
  if (entry.starts != 1 || entry.ends != 1) {
    problem(call.id + " (" + call.name + ") began " + std::to_string(entry.starts) + " and ended " +
            std::to_string(entry.ends) + " times");
  }
  if (!result.ok() && !stopped) problem(call.name + ": " + to_text(result.to_json()));
  if (stopped && !cancelled) problem(call.name + " was cancelled by nobody");
  const std::scoped_lock lock(mutex_);
  ++results_;
  if (!stopped || !cancelled) return;
  const std::chrono::duration<double, std::milli> took = entry.ended - *cancelled;
  times_[call.name].push_back(std::max(0.0, took.count()));
}

void Findings::print_tools() const {
  for (const auto& [name, times] : times_) {
    std::printf("%-22s %5zu cancelled, %s\n", name.c_str(), times.size(),
                percentiles(times).c_str());
  }
}

std::string Findings::text() const {
  std::vector<double> all;
  for (const auto& [name, times] : times_)
    all.insert(all.end(), times.begin(), times.end());
  return std::to_string(results_) + " results, " + std::to_string(all.size()) +
         " of them cancelled, which took " + percentiles(all);
}

}  // namespace goondan::soak
