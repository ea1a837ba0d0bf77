// Everything an embedder needs: load a bundle, register its tools, execute calls.
#pragma once

#include <stop_token>
#include <string>

#include <goondan/bundle.h>
#include <goondan/catalog.h>
#include <goondan/executor.h>
#include <goondan/json.h>
#include <goondan/registry.h>
#include <goondan/result.h>
#include <goondan/tool.h>

namespace goondan {

struct LoadOptions {
  std::string only = {};      // the tool to load; empty: all of them
  std::stop_token stop = {};  // ends a build or a start that is under way
};

// Loads the tools that the bundle declares and adds their exports to `registry`. Native entries are
// checked now (version, symbols, handlers), each problem with its own error; a plugin written as
// source is built first.
Result<void> add_bundle_tools(ToolRegistry& registry, const Bundle& bundle,
                              const LoadOptions& options = {});

// The exit code a program should end with: the value, or what the error's kind calls for, after
// printing the error on standard error.
int exit_code(const Result<int>& result);

}  // namespace goondan
