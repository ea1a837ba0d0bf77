#include "os/core_files.h"

#include <sys/prctl.h>
#include <sys/resource.h>

namespace goondan::os {

// Both are needed: a program that takes core files through a pipe does not heed the limit, and what
// is not dumpable becomes so again in a program that is started.
void forbid_core_files() {
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  static_cast<void>(::setrlimit(RLIMIT_CORE, &none));
  static_cast<void>(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
}

}  // namespace goondan::os
