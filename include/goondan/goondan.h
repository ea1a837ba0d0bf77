// Everything an embedder needs: load a bundle, register its tools, execute calls.
#pragma once

#include <goondan/bundle.h>
#include <goondan/catalog.h>
#include <goondan/executor.h>
#include <goondan/json.h>
#include <goondan/registry.h>
#include <goondan/result.h>
#include <goondan/tool.h>

namespace goondan {

// Loads every tool the bundle declares and adds its exports to `registry`. Native entries are
// checked now (version, symbols, handlers), each problem with its own error; a plugin written as
// source is built first. `only` narrows it to the tools of that name.
Result<void> add_bundle_tools(ToolRegistry& registry, const Bundle& bundle,
                              std::string_view only = {});

// The exit code a program should end with: the value, or what the error's kind calls for, after
// printing the error on standard error.
int exit_code(const Result<int>& result);

}  // namespace goondan
