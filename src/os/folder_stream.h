// Reading the names in a folder.
#pragma once

#include <dirent.h>
#include <memory>

#include "os/unique_fd.h"

namespace goondan::os {

struct CloseFolderStream {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

using FolderStream = std::unique_ptr<DIR, CloseFolderStream>;

// Takes the descriptor over. Null with `errno` set on failure.
inline FolderStream open_stream(UniqueFd folder) {
  FolderStream stream(::fdopendir(folder.get()));
  if (stream) folder.release();
  return stream;
}

}  // namespace goondan::os
