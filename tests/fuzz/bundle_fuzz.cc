// Bytes as a `goondan.yaml`: whatever they are, checking them ends, stays within its bounds, and
// says something that can be shown.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "resource/check.h"
#include "resource/diagnostic_render.h"
#include "resource/limits.h"

namespace goondan {
namespace {

// Scripts exist, links lead out, everything else is missing.
class FuzzFiles final : public BundleFiles {
 public:
  [[nodiscard]] Found look(const std::string& path) const override {
    if (path.ends_with(".js")) return Found::File;
    if (path.ends_with(".link")) return Found::Outside;
    return path.ends_with("folder") ? Found::NotAFile : Found::Missing;
  }
  [[nodiscard]] std::vector<std::string> list(const std::string&) const override {
    return {"index.js", "tool.js", "main.cc"};
  }
};

void expect(bool holds) {
  if (!holds) std::abort();
}

void check_report(const BundleReport& report) {
  expect(report.diagnostics.size() <= kMaxDiagnostics + 1);
  std::size_t errors = 0;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    errors += diagnostic.severity == Severity::Error ? 1 : 0;
    expect(!diagnostic.message.empty());
    expect(utf8::valid(diagnostic.message) && utf8::valid(diagnostic.suggestion));
    expect(utf8::valid(diagnostic.source_line) && utf8::valid(diagnostic.path));
    expect(diagnostic.message.find('\x1b') == std::string::npos);
  }
  expect(report.ok() == (errors == 0));
  expect(utf8::valid(render_text(report, Colour::No)));
  expect(!to_text(report_json(report, Strict::Yes)).empty());
  expect(report.diagnostics.empty() == render_github(report).empty());
}

}  // namespace
}  // namespace goondan

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(data, data + size);
  const goondan::BundleReport report = goondan::check_bundle_files(
      {{.name = "goondan.yaml", .text = text}, {.name = "tool.yaml", .text = text}},
      goondan::FuzzFiles(), "/bundle");
  goondan::check_report(report);
  return 0;
}
