// For tests: a bundle in memory.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resource/check.h"

namespace goondan::test {

// Files that exist by name only.
class NamedFiles final : public BundleFiles {
 public:
  explicit NamedFiles(std::set<std::string> names = {}) : names_(std::move(names)) {}

  [[nodiscard]] Found look(const std::string& path) const override {
    return names_.contains(path) ? Found::File : Found::Missing;
  }
  [[nodiscard]] std::vector<std::string> list(const std::string&) const override {
    return {names_.begin(), names_.end()};
  }

 private:
  std::set<std::string> names_;
};

// The report on a bundle of one `goondan.yaml`, with `entries` beside it.
inline BundleReport check_yaml(std::string yaml, std::set<std::string> entries = {}) {
  std::vector<SourceFile> files{{.name = "goondan.yaml", .text = std::move(yaml)}};
  return check_bundle_files(std::move(files), NamedFiles(std::move(entries)), "/bundle");
}

// `CODE line:column` of each diagnostic, warnings with a `?` in front.
inline std::vector<std::string> summary(const BundleReport& report) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    lines.push_back((diagnostic.severity == Severity::Warning ? "?" : "") +
                    std::string(wire_code(diagnostic.code)) + " " +
                    std::to_string(diagnostic.position.line) + ":" +
                    std::to_string(diagnostic.position.column));
  }
  return lines;
}

}  // namespace goondan::test
