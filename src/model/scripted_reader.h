// From the text of a script to what it says.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/scripted_script.h"
#include "resource/diagnostics.h"
#include "resource/source_text.h"

namespace goondan::scripted {

// The script as far as it could be read; complete if no error was reported.
Script read_script(SourceFile file, Diagnostics& diagnostics);

// The file at `path`, which begins at the bundle's folder; nothing if there is none inside the
// bundle, which is reported.
std::optional<SourceFile> open_script(const std::filesystem::path& bundle_root,
                                      const std::string& path, Diagnostics& diagnostics);

// The script of a scripted model. Fails with `E_SCRIPT`, whose message names every mistake.
Result<Script> load_script(const ModelResource& resource, const std::filesystem::path& bundle_root);

}  // namespace goondan::scripted
