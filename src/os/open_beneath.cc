#include "os/open_beneath.h"

#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

namespace goondan::os {
namespace {

// The kernel answers EAGAIN when something was renamed while it looked at a `..`.
constexpr int kMaxTries = 32;

int with_common_flags(int flags) {
  // With O_PATH nothing is opened that could block, and the kernel refuses other flags.
  if ((flags & O_PATH) != 0) return flags | O_CLOEXEC;
  return flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
}

int open_by_kernel(int folder, const std::string& path, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const long fd = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
    if (fd >= 0 || (errno != EAGAIN && errno != EINTR)) return static_cast<int>(fd);
  }
  return -1;
}

// ENOSYS: an old kernel. EPERM: a filter that does not know the call, or a real refusal, which the
// walk then meets again. EAGAIN: somebody renames all the time; the walk does not mind.
bool kernel_gave_up() {
  return errno == ENOSYS || errno == EPERM || errno == EAGAIN;
}

}  // namespace

UniqueFd open_beneath(int folder, const std::string& path, int flags, mode_t mode,
                      Resolution resolution) {
  flags = with_common_flags(flags);
  if (resolution == Resolution::Kernel) {
    UniqueFd opened(open_by_kernel(folder, path, flags, mode));
    if (opened || !kernel_gave_up()) return opened;
  }
  return walk_beneath(folder, path, flags, mode);
}

}  // namespace goondan::os
