#include "os/temporary_file.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

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

// A file without a name is given one by the link that /proc has for its descriptor; to do so by the
// descriptor alone takes privileges.
std::string link_of(const UniqueFd& file) {
  return "/proc/self/fd/" + std::to_string(file.get());
}

bool give_name(const UniqueFd& file, int folder, const std::string& name) {
  return ::linkat(AT_FDCWD, link_of(file).c_str(), folder, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

TemporaryFile::TemporaryFile(int folder, mode_t mode) : folder_(folder) {
  make_nameless(mode);
  if (!file_) make_named(mode);  // also tells why, if no file can be made at all
}

void TemporaryFile::make_nameless(mode_t mode) {
  file_.reset(::openat(folder_, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
  if (file_ && ::access(link_of(file_).c_str(), F_OK) != 0) file_.reset();  // without /proc
}

void TemporaryFile::make_named(mode_t mode) {
  for (int tries = 0; tries < kMaxTries && !file_; ++tries) {
    name_ = random_name();
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
    const int fd = ::openat(folder_, name_.c_str(), kFlags, mode);
    if (fd < 0 && errno != EEXIST) return;
    file_.reset(fd);
  }
}

TemporaryFile::~TemporaryFile() {
  if (file_ && !name_.empty()) ::unlinkat(folder_, name_.c_str(), 0);
}

bool TemporaryFile::take_a_name() {
  for (int tries = 0; tries < kMaxTries; ++tries) {
    std::string name = random_name();
    if (give_name(file_, folder_, name)) {
      name_ = std::move(name);
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

bool TemporaryFile::replace(const std::string& name) {
  if (name_.empty()) {
    if (give_name(file_, folder_, name)) return true;  // there was none to replace
    if (errno != EEXIST || !take_a_name()) return false;
  }
  if (::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) return false;
  name_.clear();
  return true;
}

}  // namespace goondan::os
