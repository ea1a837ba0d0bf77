// Hands the progress of a call on to its context, but not a flood of it.
#pragma once

#include <mutex>

#include <goondan/tool_context.h>

#include "host/mcp/clean_text.h"

namespace goondan {

inline constexpr std::chrono::milliseconds kMcpProgressPause{50};
inline constexpr std::size_t kMaxMcpProgressText = 500;  // bytes

// Thread-safe. Borrows the context until `close`; may itself outlive the call on a thread of the
// client's.
class McpProgressGate {
 public:
  explicit McpProgressGate(const ToolContext& context) : context_(&context) {}

  void pass(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    const Deadline now = Clock::now();
    if (context_ == nullptr || now < next_) return;
    next_ = now + kMcpProgressPause;
    context_->progress(progress.done, progress.total, one_line(progress.text, kMaxMcpProgressText));
  }

  void close() {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
  }

 private:
  std::mutex mutex_;
  const ToolContext* context_;
  Deadline next_ = {};
};

}  // namespace goondan
