// Writing all of a text to a descriptor, and to the disk.
#pragma once

#include <string_view>

namespace goondan::os {

// Takes from `bytes` what has been written. False with `errno` set if not all of it could be.
bool write_all(int fd, std::string_view& bytes);

// Waits until what was written to `fd` is on the disk. True also where that cannot be asked for.
bool sync_to_disk(int fd);

}  // namespace goondan::os
