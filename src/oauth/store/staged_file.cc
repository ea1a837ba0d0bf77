#include "oauth/store/staged_file.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <sodium.h>
#include <utility>

#include "store/store_error.h"

namespace goondan::oauth {

std::string unused_name(std::string_view prefix) {
  std::array<unsigned char, 8> noise{};
  ::randombytes_buf(noise.data(), noise.size());
  std::array<char, 2 * noise.size() + 1> text{};
  ::sodium_bin2hex(text.data(), text.size(), noise.data(), noise.size());
  return std::string(prefix) + text.data();
}

StagedFile::StagedFile(const PrivateFolder& folder, std::string own_name)
    : folder_(&folder), own_name_(std::move(own_name)) {}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : folder_(other.folder_),
      own_name_(std::exchange(other.own_name_, {})),
      place_(std::move(other.place_)),
      placed_(other.placed_) {}

StagedFile::~StagedFile() {
  if (!own_name_.empty()) folder_->calls().unlink_at(folder_->fd(), own_name_.c_str(), 0);
}

Result<StagedFile> StagedFile::write(const PrivateFolder& folder, std::string_view bytes,
                                     std::string_view prefix) {
  const std::string name = unused_name(prefix);
  GDN_TRY(folder.create(name, bytes));
  return StagedFile(folder, name);
}

// Where the system can, both files change places, so that the old one can come back.
Result<StagedFile::Placed> StagedFile::rename_to(const std::string& name) {
  FileCalls& calls = folder_->calls();
  const int fd = folder_->fd();
  if (calls.rename_at(fd, own_name_.c_str(), fd, name.c_str(), RENAME_EXCHANGE) == 0)
    return Placed::Swapped;
  const int number = errno;
  if (number != ENOENT && number != EINVAL && number != ENOSYS)
    return store::file_error("cannot replace", folder_->path() / name, number);
  if (calls.rename_at(fd, own_name_.c_str(), fd, name.c_str(), 0) == 0)
    return number == ENOENT ? Placed::New : Placed::Final;
  return store::file_error("cannot replace", folder_->path() / name, errno);
}

Result<void> StagedFile::place(const std::string& name) {
  placed_ = GDN_TRY(rename_to(name));
  place_ = name;
  if (placed_ != Placed::Swapped) own_name_.clear();
  const Result<void> durable = folder_->sync();
  if (!durable.ok()) take_back();
  return durable;
}

void StagedFile::take_back() {
  FileCalls& calls = folder_->calls();
  const int fd = folder_->fd();
  if (placed_ == Placed::New) calls.unlink_at(fd, place_.c_str(), 0);
  if (placed_ == Placed::Swapped)
    calls.rename_at(fd, own_name_.c_str(), fd, place_.c_str(), RENAME_EXCHANGE);
  if (placed_ != Placed::Not) (void)folder_->sync().ok();
  placed_ = Placed::Not;
}

}  // namespace goondan::oauth
