// A number for the state of a plugin's sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include <goondan/result.h>

namespace goondan {

inline constexpr std::size_t kMaxSourceFiles = 200;
inline constexpr std::size_t kMaxSourceBytes = std::size_t{10} << 20;

// Over the names and contents of all C and C++ files in `folder` and the folders below (hidden ones
// left out), and over `salt`. Tells changes apart; no protection from somebody who wants a clash.
// Fails with `E_PLUGIN_BUILD` beyond the limits, with `E_IO` if a file cannot be read.
Result<std::uint64_t> hash_sources(const std::filesystem::path& folder, std::string_view salt);

}  // namespace goondan
