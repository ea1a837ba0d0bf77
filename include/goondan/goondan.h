// Everything an embedder needs: load a bundle, register its tools, execute calls.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <goondan/bundle.h>
#include <goondan/catalog.h>
#include <goondan/executor.h>
#include <goondan/json.h>
#include <goondan/registry.h>
#include <goondan/result.h>
#include <goondan/tool.h>

namespace goondan {

class Peer;

struct LoadOptions {
  std::string only = {};      // the tool to load; empty: all of them
  std::stop_token stop = {};  // ends a build or a start that is under way
  // Where JavaScript and TypeScript run; null: in a child process of their own.
  std::shared_ptr<Peer> scripts = {};
  // The same for code of the first dialect, which runs on Node, and what it is told of its agent;
  // null: there is none.
  std::shared_ptr<Peer> node_scripts = {};
  Json place = nullptr;
};

// Loads the tools that the bundle declares and adds their exports to `registry`. Native entries are
// checked now (version, symbols, handlers), each problem with its own error; a plugin written as
// source is built first. Scripts are loaded with their first call, unless `only` names their tool.
Result<void> add_bundle_tools(ToolRegistry& registry, const Bundle& bundle,
                              const LoadOptions& options = {});

class Redactor;

struct BuiltinOptions {
  Policy policy = {};                             // what the tools may reach; empty: safe defaults
  std::vector<std::string> only = {};             // the tools to add; empty: all of them
  std::vector<std::string> guarded_folders = {};  // not written to unless `policy` grants them
  std::shared_ptr<Redactor> redactor =
      {};  // learns the tokens that calls use; null: one of its own
};

// Adds the built-in tools (bash, file-system, http-fetch ...). Fails with `E_CONFIG` if the policy
// holds something that cannot be read.
Result<void> add_builtin_tools(ToolRegistry& registry, const BuiltinOptions& options = {});

// Masks secrets in results, errors and logs; knows those of the environment. Give the same one to
// `BuiltinOptions` and `ExecutorOptions`.
std::shared_ptr<Redactor> make_redactor();

// The exit code a program should end with: the value, or what the error's kind calls for, after
// printing the error on standard error.
int exit_code(const Result<int>& result);

}  // namespace goondan
