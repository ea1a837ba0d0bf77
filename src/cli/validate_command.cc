#include <goondan/bundle.h>

#include "cli/commands.h"
#include "cli/terminal.h"
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

}  // namespace

ExitCode run_validate(const ValidateRequest& request) {
  const BundleReport report = Bundle::check(request.path);
  print_report(report, request);
  const bool warned = !report.diagnostics.empty() && request.strict == Answer::Yes;
  return report.ok() && !warned ? ExitCode::Ok : ExitCode::Validation;
}

}  // namespace goondan::cli
