#include "os/path_error.h"

#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>

#include <goondan/json.h>

#include "base/utf8.h"
#include "os/nearest_name.h"
#include "os/path_text.h"

namespace goondan::os {
namespace {

// Whether the path itself is a file, and not something on the way to it.
bool is_there(const RootedPath& path) {
  return static_cast<bool>(path.root->open_beneath(path.relative, O_PATH));
}

std::string reason(const RootedPath& path, int number) {
  switch (number) {
    case EXDEV:
      return "a link in it leads out of the folders that may be used, or names a place by its "
             "absolute path";
    case ELOOP:
      return "it goes through too many links, or through a link that is not followed";
    case ENOSPC:
      return "no space left on the disk";
    case EDQUOT:
      return "the disk quota is used up";
    case EROFS:
      return "the disk is mounted read-only";
    case ENOTDIR:
      return is_there(path) ? "it is a file, not a folder"
                            : "a part of the path is a file, not a folder";
    case EISDIR:
      return "it is a folder, not a file";
    case ENAMETOOLONG:
      return "the name is too long";
    default: {
      std::string text = std::generic_category().message(number);
      text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
      return text;
    }
  }
}

ErrorCode code_of(int number) {
  if (number == ENOENT) return ErrorCode::NotFound;
  if (number == EXDEV) return ErrorCode::PathOutsideWorkspace;
  if (number == ENAMETOOLONG || number == EILSEQ) return ErrorCode::PathInvalid;
  return ErrorCode::Io;
}

std::string next_step(const RootedPath& path, int number) {
  switch (number) {
    case ENOENT:
      return nearest_name_suggestion(path);
    case EXDEV:
      return "Use a path that stays inside. If the link's target is meant, the operator can allow "
             "its folder: --allow-root DIR on the command line, or policy.files.roots in the "
             "bundle; then name the target itself.";
    case ENOSPC:
    case EDQUOT:
      return "Nothing was changed. Make room on the disk, then try again.";
    case EACCES:
    case EPERM:
      return "Choose another path, or let the operator change the permissions.";
    default:
      return "";
  }
}

std::string_view kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFDIR:
      return "a folder";
    case S_IFIFO:
      return "a FIFO (named pipe)";
    case S_IFSOCK:
      return "a socket";
    case S_IFCHR:
    case S_IFBLK:
      return "a device";
    case S_IFLNK:
      return "a link";
    default:
      return "a special file";
  }
}

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' || c == '-' || c == ':';
  });
}

// The text comes from a model, and somebody may paste it into a shell.
std::string shell_word(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string word = "'";
  for (const char c : utf8::repaired(text))
    word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string yaml_scalar(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string scalar;
  append_quoted(scalar, text);
  return scalar;
}

std::string cannot(std::string_view verb, const RootedPath& path) {
  return "cannot " + std::string(verb) + " " + quoted_path(path.given) + ": ";
}

}  // namespace

Error path_error(std::string_view verb, const RootedPath& path, int number) {
  return {.code = code_of(number),
          .message = cannot(verb, path) + reason(path, number),
          .suggestion = next_step(path, number)};
}

Error not_regular_error(std::string_view verb, const RootedPath& path, mode_t mode) {
  return {.code = ErrorCode::Io,
          .message = cannot(verb, path) + "it is " + std::string(kind_of(mode)) + ", not a " +
                     (S_ISDIR(mode) ? "file" : "regular file"),
          .suggestion = S_ISDIR(mode) ? "Give the path of a file in it." : ""};
}

Error guarded_error(std::string_view verb, const RootedPath& path) {
  return {.code = ErrorCode::PathReadOnly,
          .message = cannot(verb, path) + "a link leads into a folder that may only be read",
          .suggestion =
              "Write somewhere else. If the link's target is meant, the operator can "
              "allow it: --allow-root DIR:rw on the command line, or policy.files.roots "
              "with access: readWrite in the bundle."};
}

std::string how_to_allow(std::string_view folder, Access access) {
  const bool write = access == Access::ReadWrite;
  return "the operator can allow it: --allow-root " +
         shell_word(std::string(folder) + (write ? ":rw" : "")) +
         " on the command line, or { path: " + yaml_scalar(folder) +
         (write ? ", access: readWrite" : "") + " } in policy.files.roots of the bundle.";
}

}  // namespace goondan::os
