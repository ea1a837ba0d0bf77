// A new version of a file: written beside it, put in its place at once, taken back if a later step
// fails.
#pragma once

#include <string>
#include <string_view>

#include <goondan/result.h>

#include "oauth/store/private_folder.h"

namespace goondan::oauth {

// A resource; borrows the folder. Confined to one thread. At its end, what is not in place, or is
// no longer, is removed.
class StagedFile {
 public:
  // The bytes are durable then, under a name of their own that begins with `prefix`.
  static Result<StagedFile> write(const PrivateFolder& folder, std::string_view bytes,
                                  std::string_view prefix = kNewFilePrefix);
  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&&) = delete;
  ~StagedFile();

  // Takes the place of `name`, durably. If that fails, the old file is in its place.
  Result<void> place(const std::string& name);
  // Puts the old file back, as far as the system lets us.
  void take_back();

 private:
  // How the file came to its place, and so how to take it back.
  enum class Placed { Not, Swapped, New, Final };

  StagedFile(const PrivateFolder& folder, std::string own_name);
  Result<Placed> rename_to(const std::string& name);

  const PrivateFolder* folder_;
  std::string own_name_;  // empty: there is nothing under it
  std::string place_ = {};
  Placed placed_ = Placed::Not;
};

// A name with `prefix` that no other file has.
std::string unused_name(std::string_view prefix);

}  // namespace goondan::oauth
