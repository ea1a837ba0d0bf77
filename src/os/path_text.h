// Paths as text: what can be said about them without looking at a disk.
#pragma once

#include <string>
#include <string_view>

namespace goondan::os {

// `path` below `base` (absolute), or `path` itself if it is absolute, with `.`, `..` and empty
// parts resolved; `..` at the top stays at the top. No slash at the end, except of "/" itself.
std::string normal_path(std::string_view base, std::string_view path);

// Whether `path` is `folder` or lies below it, part by part: `/safe-evil` is not below `/safe`.
// Both normalised.
bool lies_in(std::string_view path, std::string_view folder);

// What follows `folder` in `path`, which lies in it; "." for the folder itself.
std::string below(std::string_view path, std::string_view folder);

// Everything before the last part, and the last part: `a/b/c` is `a/b` and `c`, `c` is `.` and `c`.
struct SplitPath {
  std::string folder;
  std::string name;
};

SplitPath split_path(std::string_view path);

// `path` for a message: in quotes, valid UTF-8, control characters and excess length taken out.
std::string quoted_path(std::string_view path);

}  // namespace goondan::os
