// A folder of YAML, read and checked as a whole.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/error.h>
#include <goondan/resources.h>
#include <goondan/result.h>

namespace goondan {

enum class Severity { Warning, Error };

// One problem, with everything a person or an editor needs to find and mend it.
struct Diagnostic {
  Severity severity = Severity::Error;
  ErrorCode code = ErrorCode::Config;
  std::string message = {};
  std::string suggestion = {};
  SourcePosition position = {};
  std::string path = {};         // `goondan.yaml#3.spec.entry`
  std::string source_line = {};  // the text of the line, for the caret; may be empty

  [[nodiscard]] Json to_json() const;
};

struct BundleReport;

// Immutable and cheap to copy. Exists only for a bundle without errors: a wrong bundle never runs
// half. Resources keep the order of files (by path) and of documents in them.
class Bundle {
 public:
  // Reads `path`: a folder with a `goondan.yaml`, or such a file itself. Any error diagnostic
  // makes it fail; the error's message holds all of them.
  static Result<Bundle> load(const std::filesystem::path& path);

  // Like `load`, with every diagnostic as data, warnings included.
  static BundleReport check(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& root() const;  // absolute
  [[nodiscard]] const std::optional<PackageResource>& package() const;
  [[nodiscard]] const std::vector<ModelResource>& models() const;
  [[nodiscard]] const std::vector<AgentResource>& agents() const;
  [[nodiscard]] const std::vector<SwarmResource>& swarms() const;
  [[nodiscard]] const std::vector<ToolResource>& tools() const;
  [[nodiscard]] const std::vector<ExtensionResource>& extensions() const;
  [[nodiscard]] const std::vector<ConnectorResource>& connectors() const;
  [[nodiscard]] const std::vector<ConnectionResource>& connections() const;
  [[nodiscard]] const std::vector<OAuthAppResource>& oauth_apps() const;

  [[nodiscard]] const ToolResource* find_tool(std::string_view name) const;
  [[nodiscard]] const AgentResource* find_agent(std::string_view name) const;
  [[nodiscard]] const ExtensionResource* find_extension(std::string_view name) const;

  // What the reader of the files fills in; see `src/resource`.
  struct Contents;
  explicit Bundle(std::shared_ptr<const Contents> contents);

 private:
  std::shared_ptr<const Contents> contents_;
};

struct BundleReport {
  std::optional<Bundle> bundle = {};  // only if there is no error
  std::vector<Diagnostic> diagnostics = {};

  [[nodiscard]] bool ok() const { return bundle.has_value(); }
};

}  // namespace goondan
