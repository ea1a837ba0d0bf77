#include "os/temporary_file.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <sys/random.h>

namespace goondan::os {
namespace {

constexpr int kMaxTries = 16;

std::string random_name() {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits) return "";
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(bits));
  return ".gdn-" + std::string(digits.data()) + ".tmp";
}

}  // namespace

TemporaryFile::TemporaryFile(int folder, mode_t mode) : folder_(folder) {
  for (int tries = 0; tries < kMaxTries && !file_; ++tries) {
    name_ = random_name();
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
    const int fd = ::openat(folder, name_.c_str(), kFlags, mode);
    if (fd < 0 && errno != EEXIST) return;
    file_.reset(fd);
  }
}

TemporaryFile::~TemporaryFile() {
  if (file_ && !name_.empty()) ::unlinkat(folder_, name_.c_str(), 0);
}

bool TemporaryFile::replace(const std::string& name) {
  if (::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) return false;
  name_.clear();
  return true;
}

}  // namespace goondan::os
