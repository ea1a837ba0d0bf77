#include <goondan/bundle.h>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "model/scripted.h"
#include "resource/diagnostic_render.h"

namespace goondan::cli {
namespace {

void print_report(const BundleReport& report, const ValidateRequest& request) {
  const auto strict = request.strict == Answer::Yes ? Strict::Yes : Strict::No;
  switch (request.format) {
    case ReportFormat::Text:
      print(render_text(report, use_colour(Stream::Out) ? Colour::Yes : Colour::No, strict));
      return;
    case ReportFormat::GitHub:
      print(render_github(report, strict));
      return;
    case ReportFormat::Json:
      print_line(to_text(report_json(report, strict)));
      return;
  }
}

// What is wrong with the scripts of scripted models is wrong with the bundle.
BundleReport check(const std::string& path) {
  BundleReport report = Bundle::check(path);
  if (!report.bundle) return report;
  const Bundle bundle = *report.bundle;
  for (const ModelResource& model : bundle.models()) {
    for (Diagnostic& found : check_script(model, bundle.root())) {
      if (found.severity == Severity::Error) report.bundle.reset();
      report.diagnostics.push_back(std::move(found));
    }
  }
  return report;
}

}  // namespace

ExitCode run_validate(const ValidateRequest& request) {
  const BundleReport report = check(request.path);
  print_report(report, request);
  const bool warned = !report.diagnostics.empty() && request.strict == Answer::Yes;
  return report.ok() && !warned ? ExitCode::Ok : ExitCode::Validation;
}

}  // namespace goondan::cli
