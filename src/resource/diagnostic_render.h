// Diagnostics for people, for editors, and for continuous integration.
#pragma once

#include <string>

#include <goondan/bundle.h>
#include <goondan/json.h>

namespace goondan {

enum class Colour { No, Yes };
// Yes: show the report as `warnings_as_errors` makes it.
enum class Strict { No, Yes };

// The report with every warning made an error, and so without a bundle if there was any.
BundleReport warnings_as_errors(BundleReport report);

// One block for each diagnostic: `file:line:column: error: message [CODE]`, the line with a caret,
// the suggestion; then a line that counts them. Ends with a line break.
std::string render_text(const BundleReport& report, Colour colour, Strict strict = Strict::No);

// Workflow commands that show up beside the lines of a pull request.
std::string render_github(const BundleReport& report, Strict strict = Strict::No);

// `{valid, errors, warnings}`, each diagnostic as `Diagnostic::to_json`.
Json report_json(const BundleReport& report, Strict strict = Strict::No);

}  // namespace goondan
