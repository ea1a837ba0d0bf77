// Collects what is wrong with a bundle, so that one run can show everything.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <goondan/bundle.h>

#include "resource/source_text.h"

namespace goondan {

// A byte of a file, and the path to it in its document: what a diagnostic points at.
struct Spot {
  const SourceText& source;
  std::size_t document_index = 0;
  std::size_t offset = 0;
  std::string path = {};  // `.spec.entry`; empty: the document
};

// Thread-compatible. Keeps a bounded number of diagnostics and counts the others; the same
// diagnostic twice counts once.
class Diagnostics {
 public:
  void error(const Spot& spot, ErrorCode code, std::string message, std::string suggestion = {});
  void warning(const Spot& spot, ErrorCode code, std::string message, std::string suggestion = {});

  // About a file as a whole, or about the folder if `file` is empty.
  void file_error(const std::string& file, ErrorCode code, std::string message,
                  std::string suggestion = {});
  void file_warning(const std::string& file, ErrorCode code, std::string message,
                    std::string suggestion = {});

  [[nodiscard]] std::size_t errors() const { return errors_.total; }
  [[nodiscard]] std::size_t warnings() const { return warnings_.total; }

  // Whether further ones of this severity are only counted: then the effort of a good message is
  // wasted, and `count` does.
  [[nodiscard]] bool full(Severity severity) const;
  void count(Severity severity);

  // All of them by file, line and column; at most `kMaxDiagnostics`, errors before warnings, and
  // then one more that says how many were left out.
  [[nodiscard]] std::vector<Diagnostic> take() &&;

 private:
  struct Kept {
    std::vector<Diagnostic> first;
    std::size_t total = 0;
  };

  void add(Severity severity, Diagnostic diagnostic);
  Kept& kept(Severity severity);

  Kept errors_;
  Kept warnings_;
};

}  // namespace goondan
