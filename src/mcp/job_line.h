// Work that must not hold up whoever reads from a server: done one after another, on a thread that
// begins with the first piece.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace goondan::mcp {

// Thread-safe.
class JobLine {
 public:
  // More than `most` do not wait at a time.
  explicit JobLine(std::size_t most) : most_(most) {}
  ~JobLine() { close(); }
  JobLine(const JobLine&) = delete;
  JobLine& operator=(const JobLine&) = delete;

  enum class Taken { Yes, TooMany, Closed };
  Taken add(std::function<void()> job);

  // Waits for the job that is being done; the others are forgotten, and no more are taken.
  void close();

 private:
  void work(const std::stop_token& stop);

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> jobs_;
  bool closed_ = false;
  std::jthread worker_;
};

}  // namespace goondan::mcp
