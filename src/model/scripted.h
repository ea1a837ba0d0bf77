// A model that plays its answers from a YAML file, for tests, demonstrations and examples without a
// key. `docs/scripted-model.md` describes the file.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <goondan/bundle.h>
#include <goondan/resources.h>
#include <goondan/result.h>

#include "model/model.h"

namespace goondan {

inline constexpr std::string_view kScriptedProvider = "scripted";

// `spec.model` is the script's path, from the bundle's folder. The model remembers nothing between
// requests: the same conversation gets the same answer, whichever process asks. Thread-safe. Fails
// with `E_SCRIPT`, whose message names file, line and column of every mistake.
Result<std::shared_ptr<Model>> make_scripted_model(const ModelResource& resource,
                                                   const ModelServices& services);

// What is wrong with the script of `resource`; nothing also if its provider is another one.
std::vector<Diagnostic> check_script(const ModelResource& resource,
                                     const std::filesystem::path& bundle_root);

}  // namespace goondan
