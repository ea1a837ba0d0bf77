#include "changeset/git_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace goondan::changeset {
namespace {

constexpr std::size_t kUnseenBytes = 3;

// Whether `text` begins with one of the characters that HFS+ leaves out of comparisons: U+200C to
// U+200F, U+202A to U+202E, U+206A to U+206F, U+FEFF.
bool begins_unseen(std::string_view text) {
  if (text.size() < kUnseenBytes) return false;
  const auto last = static_cast<unsigned char>(text[2]);
  if (text.starts_with("\xe2\x80"))
    return (last >= 0x8c && last <= 0x8f) || (last >= 0xaa && last <= 0xae);
  if (text.starts_with("\xe2\x81")) return last >= 0xaa && last <= 0xaf;
  return text.starts_with("\xef\xbb\xbf");
}

std::string seen_in_lower_case(std::string_view name) {
  std::string seen;
  while (!name.empty()) {
    const bool unseen = begins_unseen(name);
    if (!unseen) seen += static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
    name.remove_prefix(unseen ? kUnseenBytes : 1);
  }
  return seen;
}

}  // namespace

bool names_git_folder(std::string_view name) {
  std::string seen = seen_in_lower_case(name);
  // NTFS: what follows a colon names a stream of the file; dots and spaces at the end do not count.
  seen.erase(std::min(seen.find(':'), seen.size()));
  seen.erase(seen.find_last_not_of(". ") + 1);
  return seen == ".git" || seen == "git~1";
}

bool steers_git(const GitLibrary& git, std::string_view name) {
  constexpr std::array kFiles{GIT_PATH_GITFILE_GITIGNORE, GIT_PATH_GITFILE_GITATTRIBUTES,
                              GIT_PATH_GITFILE_GITMODULES};
  return std::ranges::any_of(kFiles, [&](git_path_gitfile file) {
    return git.git_path_is_gitfile(name.data(), name.size(), file, GIT_PATH_FS_GENERIC) > 0;
  });
}

}  // namespace goondan::changeset
