// Finds and reads the YAML files of a bundle.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "resource/diagnostics.h"
#include "resource/source_text.h"

namespace goondan {

struct BundleFolder {
  std::filesystem::path root;          // canonical
  std::vector<SourceFile> files = {};  // by path; `goondan.yaml` itself first
};

// Reads the bundle at `path`: a folder with a `goondan.yaml`, or such a file. Nothing if there is
// no such thing; a single file that cannot be read is reported and left out.
//
// Below the folder every file counts whose name says that it holds resources (`tool.yaml`,
// `agents.yml`, ...). Folders of other programs (`node_modules`, `dist`, `.git`, ...) are skipped,
// links to folders are not followed, and a link to a file may not lead out of the bundle.
std::optional<BundleFolder> read_bundle_folder(const std::filesystem::path& path,
                                               Diagnostics& diagnostics);

}  // namespace goondan
