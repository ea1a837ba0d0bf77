#include "resource/diagnostics.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "resource/limits.h"

namespace goondan {
namespace {

// Kept until the end: more than a report shows, so that the first ones by position are shown.
constexpr std::size_t kMaxKept = 5 * kMaxDiagnostics;

bool before(const Diagnostic& a, const Diagnostic& b) {
  return std::tie(a.position.file, a.position.line, a.position.column) <
         std::tie(b.position.file, b.position.line, b.position.column);
}

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.position.line == b.position.line &&
         a.position.column == b.position.column && a.position.file == b.position.file &&
         a.message == b.message;
}

Diagnostic at_spot(const Spot& spot, ErrorCode code, std::string message, std::string suggestion) {
  const auto [line, column] = spot.source.locate(spot.offset);
  return {.code = code,
          .message = std::move(message),
          .suggestion = std::move(suggestion),
          .position = {.file = spot.source.name(),
                       .document_index = spot.document_index,
                       .line = line,
                       .column = column},
          .path = spot.source.name() + "#" + std::to_string(spot.document_index) + spot.path,
          .source_line = spot.source.shown_line(line)};
}

Diagnostic at_file(const std::string& file, ErrorCode code, std::string message,
                   std::string suggestion) {
  return {.code = code,
          .message = std::move(message),
          .suggestion = std::move(suggestion),
          .position = {.file = file},
          .path = file};
}

Diagnostic left_out(std::size_t count, Severity severity) {
  return {.severity = severity,
          .code = ErrorCode::Config,
          .message = std::to_string(count) +
                     (count == 1 ? " more problem is" : " more problems are") + " not shown",
          .suggestion = "Mend the ones above first."};
}

}  // namespace

void Diagnostics::error(const Spot& spot, ErrorCode code, std::string message,
                        std::string suggestion) {
  if (full(Severity::Error)) return count(Severity::Error);
  add(Severity::Error, at_spot(spot, code, std::move(message), std::move(suggestion)));
}

void Diagnostics::warning(const Spot& spot, ErrorCode code, std::string message,
                          std::string suggestion) {
  if (full(Severity::Warning)) return count(Severity::Warning);
  add(Severity::Warning, at_spot(spot, code, std::move(message), std::move(suggestion)));
}

void Diagnostics::file_error(const std::string& file, ErrorCode code, std::string message,
                             std::string suggestion) {
  add(Severity::Error, at_file(file, code, std::move(message), std::move(suggestion)));
}

void Diagnostics::file_warning(const std::string& file, ErrorCode code, std::string message,
                               std::string suggestion) {
  add(Severity::Warning, at_file(file, code, std::move(message), std::move(suggestion)));
}

Diagnostics::Kept& Diagnostics::kept(Severity severity) {
  return severity == Severity::Error ? errors_ : warnings_;
}

bool Diagnostics::full(Severity severity) const {
  return (severity == Severity::Error ? errors_ : warnings_).first.size() >= kMaxKept;
}

void Diagnostics::count(Severity severity) {
  ++kept(severity).total;
}

void Diagnostics::add(Severity severity, Diagnostic diagnostic) {
  Kept& kind = kept(severity);
  const bool repeated = std::ranges::any_of(
      kind.first, [&](const Diagnostic& other) { return same(other, diagnostic); });
  if (repeated) return;
  ++kind.total;
  if (full(severity)) return;
  diagnostic.severity = severity;
  kind.first.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Diagnostics::take() && {
  std::ranges::stable_sort(errors_.first, before);
  std::ranges::stable_sort(warnings_.first, before);
  std::vector<Diagnostic> shown = std::move(errors_.first);
  std::ranges::move(warnings_.first, std::back_inserter(shown));
  if (shown.size() > kMaxDiagnostics) shown.resize(kMaxDiagnostics);
  std::ranges::stable_sort(shown, before);

  const std::size_t total = errors_.total + warnings_.total;
  if (total > shown.size()) {
    const auto shown_errors =
        static_cast<std::size_t>(std::ranges::count(shown, Severity::Error, &Diagnostic::severity));
    const Severity severity = errors_.total > shown_errors ? Severity::Error : Severity::Warning;
    shown.push_back(left_out(total - shown.size(), severity));
  }
  return shown;
}

}  // namespace goondan
