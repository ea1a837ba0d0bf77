// The log of an extension's servers. Closed before the servers' owner goes: a call that was left
// behind must not reach what is no longer there.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include <goondan/tool_context.h>

namespace goondan {

// Thread-safe. `sink` is called by one thread at a time and must not call back.
class McpLog {
 public:
  using Sink = std::function<void(LogLevel, std::string_view)>;

  explicit McpLog(Sink sink) : sink_(std::move(sink)) {}

  void write(LogLevel level, std::string_view server, std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (sink_) sink_(level, "MCP server '" + std::string(server) + "': " + std::string(text));
  }

  void close() {
    const std::lock_guard lock(mutex_);
    sink_ = nullptr;
  }

 private:
  std::mutex mutex_;
  Sink sink_;
};

}  // namespace goondan
