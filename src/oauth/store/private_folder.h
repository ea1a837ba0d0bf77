// A folder that only its owner may enter, and what the store does with files in it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

#include <goondan/result.h>

#include "oauth/secret.h"
#include "oauth/store/file_calls.h"

namespace goondan::oauth {

// Names of files that are written and not yet in place; whoever holds the store's lock may remove
// them.
inline constexpr std::string_view kNewFilePrefix = ".new-";

// Paths of files are names in the folder, without `/`. No link is followed. Closes itself. Moved,
// never copied; constant functions are thread-safe.
class PrivateFolder {
 public:
  // Makes what is missing of `path`, durably. `E_STORE` if others may enter it or own it.
  static Result<PrivateFolder> make(std::shared_ptr<FileCalls> calls,
                                    const std::filesystem::path& path);
  // A folder that is there, whoever owns it: of a key file that somebody else keeps.
  static Result<PrivateFolder> foreign(std::shared_ptr<FileCalls> calls,
                                       const std::filesystem::path& path);

  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&& other) noexcept;
  ~PrivateFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] FileCalls& calls() const { return *calls_; }

  // A folder in this one: made durably if need be; none if it is not there.
  [[nodiscard]] Result<PrivateFolder> make_inner(const std::string& name) const;
  [[nodiscard]] Result<std::optional<PrivateFolder>> inner(const std::string& name) const;

  struct Content {
    std::string bytes;
    struct stat about = {};
  };
  // The first `limit` bytes of a file; none if it is not there. Anything but a plain file is empty.
  [[nodiscard]] Result<std::optional<Content>> read(const std::string& name,
                                                    std::size_t limit) const;
  [[nodiscard]] bool has(const std::string& name) const;
  // Without `.` and `..`, sorted.
  [[nodiscard]] Result<std::vector<std::string>> names() const;

  // Makes a file that is not there yet, whole and durable, but not yet its name in the folder.
  [[nodiscard]] Result<void> create(const std::string& name, std::string_view bytes) const;
  [[nodiscard]] Result<void> remove(const std::string& name) const;
  [[nodiscard]] Result<void> remove_inner(const std::string& name) const;
  [[nodiscard]] Result<void> move(const std::string& from, const PrivateFolder& folder,
                                  const std::string& to) const;
  // What was made, removed and moved in it is durable then.
  [[nodiscard]] Result<void> sync() const;
  // Removes the files whose names begin with `prefix`.
  [[nodiscard]] Result<void> remove_all(std::string_view prefix) const;

 private:
  PrivateFolder(std::shared_ptr<FileCalls> calls, std::filesystem::path path, int fd);
  [[nodiscard]] Result<void> write_whole(int file, const std::string& name,
                                         std::string_view bytes) const;

  std::shared_ptr<FileCalls> calls_;
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace goondan::oauth
