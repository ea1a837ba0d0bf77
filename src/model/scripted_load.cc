#include "model/scripted.h"
#include "model/scripted_reader.h"
#include "resource/limits.h"

namespace goondan {
namespace {

using scripted::Script;

std::optional<Script> read_from(const ModelResource& resource,
                                const std::filesystem::path& bundle_root,
                                Diagnostics& diagnostics) {
  std::optional<SourceFile> file = scripted::open_script(bundle_root, resource.model, diagnostics);
  if (!file) return std::nullopt;
  return scripted::read_script(std::move(*file), diagnostics);
}

std::string line_of(const Diagnostic& diagnostic) {
  const SourcePosition& position = diagnostic.position;
  std::string line = position.file + ":";
  if (position.line > 0) {
    line += std::to_string(position.line) + ":" + std::to_string(position.column) + ":";
  }
  return line + " " + diagnostic.message;
}

Error script_error(const std::vector<Diagnostic>& diagnostics) {
  Error error{.code = ErrorCode::Script, .message = {}};
  std::size_t shown = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::Error || ++shown > kMaxLoadDiagnostics) continue;
    if (shown == 1) error.suggestion = diagnostic.suggestion;
    error.message += (shown == 1 ? "" : "\n") + line_of(diagnostic);
  }
  if (shown > kMaxLoadDiagnostics) {
    error.message += "\n" + std::to_string(shown - kMaxLoadDiagnostics) + " more";
  }
  return error;
}

}  // namespace

namespace scripted {

Result<Script> load_script(const ModelResource& resource,
                           const std::filesystem::path& bundle_root) {
  Diagnostics diagnostics;
  std::optional<Script> script = read_from(resource, bundle_root, diagnostics);
  if (script && diagnostics.errors() == 0) return *std::move(script);
  return script_error(std::move(diagnostics).take());
}

}  // namespace scripted

std::vector<Diagnostic> check_script(const ModelResource& resource,
                                     const std::filesystem::path& bundle_root) {
  if (resource.provider != kScriptedProvider) return {};
  Diagnostics diagnostics;
  read_from(resource, bundle_root, diagnostics);
  std::vector<Diagnostic> found = std::move(diagnostics).take();
  for (Diagnostic& diagnostic : found) {
    diagnostic.code = ErrorCode::Script;
    if (!diagnostic.position.file.empty()) continue;  // otherwise there is no script to point at
    diagnostic.position = resource.meta.position;
    diagnostic.path = diagnostic.position.file;
  }
  return found;
}

}  // namespace goondan
