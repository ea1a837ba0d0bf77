#include "resource/diagnostic_render.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/utf8.h"

namespace goondan {
namespace {

struct Style {
  std::string_view bold, error, warning, dim, plain;
};

Style style_of(Colour colour) {
  if (colour == Colour::No) return {};
  return {.bold = "\x1b[1m",
          .error = "\x1b[1;31m",
          .warning = "\x1b[1;33m",
          .dim = "\x1b[2m",
          .plain = "\x1b[0m"};
}

std::string place_text(const SourcePosition& position) {
  if (position.file.empty()) return {};
  if (position.line == 0) return position.file + ": ";
  return position.file + ":" + std::to_string(position.line) + ":" +
         std::to_string(position.column) + ": ";
}

char32_t decoded(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  switch (sequence.size()) {
    case 2:
      return static_cast<char32_t>((byte(0) & 0x1F) << 6 | (byte(1) & 0x3F));
    case 3:
      return static_cast<char32_t>((byte(0) & 0xF) << 12 | (byte(1) & 0x3F) << 6 |
                                   (byte(2) & 0x3F));
    case 4:
      return static_cast<char32_t>((byte(0) & 7) << 18 | (byte(1) & 0x3F) << 12 |
                                   (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F));
    default:
      return byte(0);
  }
}

// Whether a terminal gives the character two cells: Hangul, Chinese, Japanese, emoji.
bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
         (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) ||
         (c >= 0x20000 && c <= 0x3FFFD);
}

// White space as wide as the text before `column`.
std::string indent_to(std::string_view line, std::size_t column) {
  std::string indent;
  std::string_view before = utf8::prefix(line, column - 1);
  while (!before.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8::sequence_length(before), 1);
    const char32_t c = decoded(before.substr(0, length));
    indent += c == '\t' ? "\t" : is_wide(c) ? "  " : " ";
    before.remove_prefix(length);
  }
  return indent;
}

std::string caret_block(const Diagnostic& diagnostic, const Style& style) {
  const std::string& line = diagnostic.source_line;
  const std::size_t column = diagnostic.position.column;
  if (diagnostic.position.line == 0 || line.empty()) return {};
  const std::string number = std::to_string(diagnostic.position.line);
  const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
  std::string block =
      std::string(style.dim) + margin + number + " | " + std::string(style.plain) + line + "\n";
  if (column == 0 || column > utf8::length(line) + 1) return block;
  block += std::string(style.dim) + std::string(margin.size() + number.size(), ' ') + " | " +
           std::string(style.plain) + indent_to(line, column) + std::string(style.error) + "^" +
           std::string(style.plain) + "\n";
  return block;
}

std::string count_text(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::size_t count_of(const BundleReport& report, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count(report.diagnostics, severity, &Diagnostic::severity));
}

enum class Escape { Message, Property };

// Workflow commands end at a line break; properties at a comma or a colon as well.
std::string github_escaped(std::string_view text, Escape escape) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (c == ':' && escape == Escape::Property) {
      out += "%3A";
    } else if (c == ',' && escape == Escape::Property) {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

BundleReport warnings_as_errors(BundleReport report) {
  if (!report.diagnostics.empty()) report.bundle.reset();
  for (Diagnostic& diagnostic : report.diagnostics)
    diagnostic.severity = Severity::Error;
  return report;
}

std::string render_text(const BundleReport& report, Colour colour, Strict strict) {
  if (strict == Strict::Yes) return render_text(warnings_as_errors(report), colour);
  const Style style = style_of(colour);
  std::string out;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    const bool error = diagnostic.severity == Severity::Error;
    out += std::string(style.bold) + place_text(diagnostic.position) + std::string(style.plain);
    out += std::string(error ? style.error : style.warning) + (error ? "error" : "warning") +
           std::string(style.plain) + ": " + diagnostic.message + " " + std::string(style.dim) +
           "[" + std::string(wire_code(diagnostic.code)) + "]" + std::string(style.plain) + "\n";
    out += caret_block(diagnostic, style);
    if (!diagnostic.suggestion.empty()) out += "  suggestion: " + diagnostic.suggestion + "\n";
  }
  const std::size_t errors = count_of(report, Severity::Error);
  const std::size_t warnings = count_of(report, Severity::Warning);
  if (errors + warnings == 0) return "no problems found\n";
  return out + count_text(errors, "error") + ", " + count_text(warnings, "warning") + "\n";
}

std::string render_github(const BundleReport& report, Strict strict) {
  if (strict == Strict::Yes) return render_github(warnings_as_errors(report));
  std::string out;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    out += diagnostic.severity == Severity::Error ? "::error " : "::warning ";
    if (!diagnostic.position.file.empty()) {
      out += "file=" + github_escaped(diagnostic.position.file, Escape::Property) + ",";
    }
    if (diagnostic.position.line > 0) {
      out += "line=" + std::to_string(diagnostic.position.line) +
             ",col=" + std::to_string(diagnostic.position.column) + ",";
    }
    std::string message = diagnostic.message;
    if (!diagnostic.suggestion.empty()) message += "\n" + diagnostic.suggestion;
    out += "title=" + std::string(wire_code(diagnostic.code)) +
           "::" + github_escaped(message, Escape::Message) + "\n";
  }
  return out;
}

Json report_json(const BundleReport& report, Strict strict) {
  if (strict == Strict::Yes) return report_json(warnings_as_errors(report));
  JsonArray errors;
  JsonArray warnings;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    JsonArray& list = diagnostic.severity == Severity::Error ? errors : warnings;
    list.push_back(diagnostic.to_json());
  }
  return JsonObject{
      {"valid", errors.empty()}, {"errors", std::move(errors)}, {"warnings", std::move(warnings)}};
}

}  // namespace goondan
