// Which bundle a command works on.
#pragma once

#include <optional>
#include <string>

#include <goondan/bundle.h>
#include <goondan/catalog.h>
#include <goondan/result.h>

namespace goondan::cli {

// Whether `folder` holds a `goondan.yaml` (or `.yml`).
bool has_bundle(const std::filesystem::path& folder);

// The bundle at `given`, or the one in the current folder if there is a `goondan.yaml`; nothing if
// there is neither. A bundle with errors is an error that holds them all.
Result<std::optional<Bundle>> choose_bundle(const std::optional<std::string>& given);

// The bundle's tools and, behind them, the built-in ones.
Result<ToolCatalog> callable_tools(const std::optional<Bundle>& bundle);

}  // namespace goondan::cli
