// When a server that ended may be started again: at once a few times, then after growing pauses. A
// server that had lasted for a while begins anew.
#pragma once

#include <chrono>

#include <goondan/tool_context.h>

namespace goondan {

inline constexpr int kQuickMcpStarts = 5;
inline constexpr std::chrono::seconds kFirstMcpPause{1};
inline constexpr std::chrono::seconds kLongestMcpPause{300};
inline constexpr std::chrono::seconds kMcpLastedLong{60};

// A value; knows the time only from its arguments.
class RestartPauses {
 public:
  // An attempt to start it begins.
  void starting(Deadline now);
  // It failed, or what had been started has ended.
  void ended(Deadline now);

  // From when on it may be started.
  [[nodiscard]] Deadline next() const { return next_; }

 private:
  int starts_ = 0;  // since it last lasted
  Deadline started_ = {};
  Deadline next_ = {};
};

}  // namespace goondan
