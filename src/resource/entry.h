// The file behind `spec.entry` and other paths of a bundle.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "resource/bundle_files.h"
#include "resource/diagnostics.h"
#include "resource/place.h"

namespace goondan {

// The path, relative to the bundle, of the file that the text at `place` names; nothing if it is
// absolute, leads out of the bundle or does not exist, which is reported.
std::optional<std::string> check_file(const Place& place, const BundleFiles& files,
                                      Diagnostics& diagnostics);

// The same for code: a `.ts` entry may have been compiled, so `dist/src/x.js` and `x.js` are tried
// before `src/x.ts`.
std::optional<std::string> check_entry(const Place& place, const BundleFiles& files,
                                       Diagnostics& diagnostics);

// Reports code that nothing is known about running, by the ending of its file.
void check_entry_kind(const Place& place, std::string_view entry, Diagnostics& diagnostics);

}  // namespace goondan
