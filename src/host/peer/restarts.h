// When a child that keeps ending may be started again.
#pragma once

#include <chrono>
#include <cstddef>

#include <goondan/tool_context.h>

namespace goondan::peer {

struct RestartPolicy {
  std::size_t quick = 5;  // ends in a row after which it is started again at once
  std::chrono::milliseconds first_pause{1'000};  // then this, doubled each time
  std::chrono::milliseconds longest_pause{300'000};
};

// Thread-compatible.
class Restarts {
 public:
  explicit Restarts(RestartPolicy policy) : policy_(policy) {}

  void note_end(Deadline when);
  void note_good_call() { ends_ = 0; }

  [[nodiscard]] std::size_t ends_in_a_row() const { return ends_; }
  // From when on it may be started.
  [[nodiscard]] Deadline next_start() const;

 private:
  RestartPolicy policy_;
  std::size_t ends_ = 0;
  Deadline last_end_ = Deadline::min();
};

}  // namespace goondan::peer
