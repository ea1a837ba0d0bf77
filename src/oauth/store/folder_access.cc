#include "oauth/store/folder_access.h"

#include <array>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace goondan::oauth {
namespace {

constexpr mode_t kOthers = 077;

std::string mode_text(mode_t mode) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%04o", static_cast<unsigned>(mode & 07777));
  return text.data();
}

}  // namespace

Result<void> check_private(const std::filesystem::path& folder, const struct stat& about) {
  const std::string name = "'" + folder.string() + "'";
  if (about.st_uid != ::geteuid())
    return Error{.code = ErrorCode::Store,
                 .message = "the folder " + name + " belongs to another user (" +
                            std::to_string(about.st_uid) + ")",
                 .suggestion = "run gdn as that user, or use another GOONDAN_STATE_ROOT"};
  if ((about.st_mode & kOthers) != 0)
    return Error{.code = ErrorCode::Store,
                 .message = "others may enter the folder " + name + " (mode " +
                            mode_text(about.st_mode) + ")",
                 .suggestion = "close it: chmod 700 " + name};
  return {};
}

Result<void> check_key_file(const std::filesystem::path& file, const struct stat& about) {
  const std::string name = "'" + file.string() + "'";
  if (!S_ISREG(about.st_mode))
    return Error{.code = ErrorCode::StoreKey,
                 .message = "the key of the OAuth store, " + name + ", is no plain file",
                 .suggestion = "put the key itself there, not a link to it"};
  if (about.st_uid != ::geteuid() && about.st_uid != 0)
    return Error{.code = ErrorCode::StoreKey,
                 .message = "the key of the OAuth store, " + name + ", belongs to another user (" +
                            std::to_string(about.st_uid) + ")",
                 .suggestion = "see who put it there; a key that you made: chown " +
                               std::to_string(::geteuid()) + " " + name};
  if ((about.st_mode & kOthers) != 0)
    return Error{.code = ErrorCode::StoreKey,
                 .message = "others may read the key of the OAuth store, " + name + " (mode " +
                            mode_text(about.st_mode) + ")",
                 .suggestion = "close it: chmod 600 " + name +
                               "; then make a new key, since this one may be known"};
  return {};
}

}  // namespace goondan::oauth
