#include <algorithm>
#include <utility>

#include <goondan/bundle.h>

#include "resource/check.h"
#include "resource/contents.h"
#include "resource/limits.h"
#include "resource/source_files.h"

namespace goondan {
namespace {

std::string location(const Diagnostic& diagnostic) {
  const SourcePosition& position = diagnostic.position;
  if (position.file.empty()) return {};
  if (position.line == 0) return position.file + ": ";
  return position.file + ":" + std::to_string(position.line) + ":" +
         std::to_string(position.column) + ": ";
}

// One error out of many: the code of the first, and all of them as lines.
Error load_error(const std::vector<Diagnostic>& diagnostics) {
  Error error{.code = ErrorCode::Config, .message = {}};
  std::size_t errors = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::Error) continue;
    if (++errors > kMaxLoadDiagnostics) continue;
    if (errors == 1) {
      error.code = diagnostic.code;
      error.suggestion = diagnostic.suggestion;
    } else {
      error.message += '\n';
    }
    error.message +=
        location(diagnostic) + std::string(wire_code(diagnostic.code)) + " " + diagnostic.message;
  }
  if (errors > kMaxLoadDiagnostics) {
    error.message += "\n" + std::to_string(errors - kMaxLoadDiagnostics) + " more";
  }
  return error;
}

template <class T>
const T* find_named(const std::vector<T>& resources, std::string_view name) {
  const auto found = std::ranges::find_if(
      resources, [name](const T& resource) { return resource.meta.name == name; });
  return found == resources.end() ? nullptr : &*found;
}

}  // namespace

Json Diagnostic::to_json() const {
  JsonObject object{{"severity", severity == Severity::Error ? "error" : "warning"},
                    {"code", wire_code(code)},
                    {"message", message}};
  if (!suggestion.empty()) object["suggestion"] = suggestion;
  object["file"] = position.file;
  object["line"] = position.line;
  object["column"] = position.column;
  object["path"] = path;
  return object;
}

BundleReport Bundle::check(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  std::optional<BundleFolder> folder = read_bundle_folder(path, diagnostics);
  if (!folder) return {.diagnostics = std::move(diagnostics).take()};
  const DiskFiles entries(folder->root);
  return check_bundle_files(std::move(folder->files), entries, folder->root,
                            std::move(diagnostics));
}

Result<Bundle> Bundle::load(const std::filesystem::path& path) {
  BundleReport report = check(path);
  if (report.bundle) return *std::move(report.bundle);
  return load_error(report.diagnostics);
}

Bundle::Bundle(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

const std::filesystem::path& Bundle::root() const {
  return contents_->root;
}
const std::optional<PackageResource>& Bundle::package() const {
  return contents_->package;
}
const std::vector<ModelResource>& Bundle::models() const {
  return contents_->models;
}
const std::vector<AgentResource>& Bundle::agents() const {
  return contents_->agents;
}
const std::vector<SwarmResource>& Bundle::swarms() const {
  return contents_->swarms;
}
const std::vector<ToolResource>& Bundle::tools() const {
  return contents_->tools;
}
const std::vector<ExtensionResource>& Bundle::extensions() const {
  return contents_->extensions;
}
const std::vector<ConnectorResource>& Bundle::connectors() const {
  return contents_->connectors;
}
const std::vector<ConnectionResource>& Bundle::connections() const {
  return contents_->connections;
}
const std::vector<OAuthAppResource>& Bundle::oauth_apps() const {
  return contents_->oauth_apps;
}

const ToolResource* Bundle::find_tool(std::string_view name) const {
  return find_named(contents_->tools, name);
}

const AgentResource* Bundle::find_agent(std::string_view name) const {
  return find_named(contents_->agents, name);
}

const ExtensionResource* Bundle::find_extension(std::string_view name) const {
  return find_named(contents_->extensions, name);
}

}  // namespace goondan
