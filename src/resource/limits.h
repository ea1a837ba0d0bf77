// What a bundle may cost to read. Every number here is a refusal with a message, never a crash.
#pragma once

#include <cstddef>
#include <cstdint>

namespace goondan {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxBundleBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxFiles = 1000;
inline constexpr std::size_t kMaxFolderDepth = 32;
inline constexpr std::size_t kMaxFolderEntries = 100'000;  // looked at in one walk

inline constexpr std::size_t kMaxDocuments = 100;  // in one file
inline constexpr std::size_t kMaxDepth = 64;       // lists and mappings inside each other
inline constexpr std::size_t kMaxNodes = 500'000;  // keys and values of a whole bundle
// What aliases may add to a file when each is replaced by what it stands for.
inline constexpr std::size_t kMaxAliasNodes = 10'000;
inline constexpr std::size_t kMaxAliasBytes = std::size_t{1} << 20;

inline constexpr std::size_t kMaxExports = 256;     // of one tool; no model could use more
inline constexpr std::size_t kMaxVisibleName = 64;  // code points; providers refuse longer ones
inline constexpr std::size_t kMaxName = 128;        // of any resource

// Counts, bytes and milliseconds in a specification: nothing sensible is larger, and sums of a few
// never overflow.
inline constexpr std::int64_t kMaxWholeNumber = 1'000'000'000;

inline constexpr std::size_t kMaxDiagnostics = 200;      // in a report
inline constexpr std::size_t kMaxLoadDiagnostics = 10;   // in the error of `Bundle::load`
inline constexpr std::size_t kMaxQuotedCodePoints = 80;  // of a value shown in a message
inline constexpr std::size_t kMaxSourceLine = 200;       // code points of a line shown

}  // namespace goondan
