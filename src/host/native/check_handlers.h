// Comparing what a tool's YAML declares with what its plugin or script holds.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan {

enum class HandlerHome { Plugin, Script };

// Fails with `E_PLUGIN_HANDLER_MISSING` for a declared export without a handler and with
// `E_PLUGIN_HANDLER_UNDECLARED` for a handler without an export; both name the tool, the export
// and what it was perhaps meant to be.
Result<void> check_handlers(std::string_view tool, std::span<const std::string> declared,
                            std::span<const std::string> handlers,
                            HandlerHome home = HandlerHome::Plugin);

}  // namespace goondan
