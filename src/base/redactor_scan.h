// Finds everything in a text that is to be masked: known secrets and shapes of secrets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/redactor.h"
#include "base/redactor_index.h"
#include "base/secret_patterns.h"

namespace goondan {

// What is looked for, at one moment. Immutable and thread-safe.
class SecretScanner {
 public:
  explicit SecretScanner(std::vector<std::string> forms) : forms_(std::move(forms)) {}

  [[nodiscard]] bool finds_in(std::string_view text) const;

  struct Hit {
    std::size_t anchor = 0;  // where what led to the range begins; not after it
    TextRange range = {};    // whole UTF-8 characters if the text is UTF-8
  };

  struct Findings {
    std::vector<Hit> hits = {};  // sorted by where their ranges begin; they may overlap
    // From here on more text could change what is found; the text's size if it could not.
    std::size_t undecided_from = 0;
  };

  // Everything whose anchor is at `first` or later; what is before it is context.
  [[nodiscard]] Findings scan(std::string_view text, std::size_t first, TextEnd end) const;

  // What may be a part of a form whose rest was cut off; an empty range for nothing.
  [[nodiscard]] TextRange part_at_cut(std::string_view text, CutSide side) const;

 private:
  void scan_forms(std::string_view text, std::size_t first, TextEnd end, Findings& findings) const;
  void look_at_end(std::string_view text, std::size_t first, Findings& findings) const;

  FormIndex forms_;
};

}  // namespace goondan
