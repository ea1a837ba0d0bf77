// What a built-in tool is made of, and what all of them share.
//
// A tool is a folder: `tool.yaml` (the same document an author would write), `<tool>.h` with one
// function that returns its definition, and its handlers. `all.cc` lists the tools.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/tool.h>

#include "base/redactor.h"
#include "builtin/workspaces.h"
#include "net/http_client.h"

namespace goondan::os {
class CommandHost;
}

namespace goondan::builtin {

// Made once for a registry, shared by the handlers of all its built-in tools; thread-safe.
struct Services {
  // Who masks secrets in results: the executor, if it was given the same redactor.
  enum class Masking { Here, ByExecutor } masking = Masking::Here;
  std::shared_ptr<Workspaces> workspaces = std::make_shared<Workspaces>();  // never null
  net::HostPolicy hosts = {};
  std::map<std::string, std::string, std::less<>> environment = {};  // ours, secrets included
  std::vector<std::string> shell_environment = {};                   // NAME=value, without secrets
  std::shared_ptr<net::HttpClient> http = {};
  std::shared_ptr<os::CommandHost> commands = {};
  std::shared_ptr<Redactor> redactor = {};  // never null

  // The folders a call may use: its workdir and the grants.
  [[nodiscard]] Result<os::Workspace> workspace(const ToolContext& context) const;
};

using Handler = Result<Json> (*)(const Services&, ToolContext&, const JsonObject& input);

struct Export {
  std::string_view name;
  Handler handle;
};

struct Definition {
  std::string_view name;        // as in `tool.yaml`
  std::string_view yaml;        // the text of `tool.yaml`
  std::vector<Export> exports;  // one for each export in it
};

}  // namespace goondan::builtin
