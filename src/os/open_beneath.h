// Opening a path that cannot leave a folder.
//
// Two ways that give the same answers. `Kernel` asks `openat2` to resolve beneath the folder and
// follow no magic link (`/proc/self/fd/3`). `Walk` resolves part by part with `O_NOFOLLOW`, reads
// links itself and keeps the folders it came through open, so that `..` goes back to where it came
// from and never past the start; for kernels and containers without `openat2`.
#pragma once

#include <string>
#include <sys/types.h>

#include "os/unique_fd.h"

namespace goondan::os {

enum class Resolution {
  Kernel,  // falls back to `Walk` where the kernel refuses
  Walk,
};

// How many links one path may go through; as the kernel's own limit.
inline constexpr int kMaxLinks = 40;
// How many folders deep a `Walk` goes; each costs a descriptor while it lasts.
inline constexpr std::size_t kMaxWalkDepth = 256;

// `open(2)` of `path`, relative, beneath `folder`; `flags` get O_CLOEXEC, O_NOCTTY and O_NONBLOCK
// added. Empty with `errno` set on failure: EXDEV if it would have led outside, ELOOP after too
// many links. Thread-safe.
UniqueFd open_beneath(int folder, const std::string& path, int flags, mode_t mode,
                      Resolution resolution);

// The `Walk` alone.
UniqueFd walk_beneath(int folder, const std::string& path, int flags, mode_t mode);

}  // namespace goondan::os
