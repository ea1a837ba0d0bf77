// What went wrong with a database or its folder, as an `Error` that names the file.
#pragma once

#include <filesystem>
#include <string_view>

#include <goondan/error.h>

struct sqlite3;

namespace goondan::store {

// Of the last thing that `connection` did; `code` is what it returned. `connection` may be null.
Error database_error(const std::filesystem::path& file, sqlite3* connection, int code);

// The file is there and is not what it should be.
Error damaged(const std::filesystem::path& file, std::string_view why);

// A failed system call on `path`; `E_STORE_FULL` if the disk is full, else `E_STORE`.
Error file_error(std::string_view what, const std::filesystem::path& path, int number);

}  // namespace goondan::store
