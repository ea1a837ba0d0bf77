// How long a provider that failed is left alone. In memory only: a new process tries at once.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "oauth/store/store.h"

namespace goondan::oauth {

// Thread-safe.
class Backoff {
 public:
  // Seconds until the next try; 0: now.
  [[nodiscard]] std::int64_t wait_for(const RecordName& name, std::int64_t now) const;
  // Twice as long each time, up to a minute, and some more by chance, so that processes which
  // failed together do not come back together.
  void failed(const RecordName& name, std::int64_t now);
  void succeeded(const RecordName& name);

 private:
  struct Pause {
    int failures = 0;
    std::int64_t until = 0;
  };

  mutable std::mutex mutex_;
  std::map<RecordName, Pause> pauses_;
};

}  // namespace goondan::oauth
