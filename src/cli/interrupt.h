// Ctrl-C as a cancellation: once stops the call, twice leaves at once.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace goondan::cli {

// Make it before any other thread: it blocks SIGINT and SIGTERM for the process and takes them on a
// thread of its own.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] bool requested() const { return stop_.stop_requested(); }

 private:
  void watch(const std::stop_token& done);

  std::stop_source stop_;
  std::jthread watcher_;
};

}  // namespace goondan::cli
