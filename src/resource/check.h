// From texts to a checked bundle, without touching the disk.
#pragma once

#include <filesystem>
#include <vector>

#include <goondan/bundle.h>

#include "resource/bundle_files.h"
#include "resource/diagnostics.h"
#include "resource/source_text.h"

namespace goondan {

// Reads and checks `files`, whose entries are looked up in `entries`. `diagnostics` may already
// hold problems of getting at the files. `root` becomes the bundle's root.
BundleReport check_bundle_files(std::vector<SourceFile> files, const BundleFiles& entries,
                                std::filesystem::path root, Diagnostics diagnostics = {});

}  // namespace goondan
