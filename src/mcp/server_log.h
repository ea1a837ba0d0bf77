// What is noted about one server. A server may say anything, as often as it likes: its lines are
// cleaned, cut, and beyond a rate only counted.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include <goondan/tool_context.h>

namespace goondan::mcp {

inline constexpr std::size_t kMaxLogText = 2'000;  // code points of one line
// As many at once, then as many a second.
inline constexpr double kLogBurst = 100;
inline constexpr double kLogRate = 20;

// Thread-safe; `sink` is called by one thread at a time.
class ServerLog {
 public:
  using Sink = std::function<void(LogLevel, std::string_view)>;

  explicit ServerLog(Sink sink) : sink_(std::move(sink)) {}

  void write(LogLevel level, std::string_view text);

 private:
  bool admit(Deadline now);

  Sink sink_;
  std::mutex mutex_;
  double credit_ = kLogBurst;
  Deadline last_ = {};
  std::size_t skipped_ = 0;
};

}  // namespace goondan::mcp
