// Signals as something to wait for.
#pragma once

#include <optional>

#include "os/unique_fd.h"

namespace goondan::cli {

// Make it before any thread: it blocks SIGINT, SIGTERM and SIGHUP for the process, but for those
// that whoever started us had it ignore. They stay blocked. Thread-compatible.
class Signals {
 public:
  Signals();

  // Readable when one has come; -1 if signals cannot be waited for.
  [[nodiscard]] int fd() const { return fd_.get(); }
  // The number of one that has come.
  std::optional<int> take();

 private:
  os::UniqueFd fd_;
};

}  // namespace goondan::cli
