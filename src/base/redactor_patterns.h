// Looks for the shapes of `secret_patterns.h` in a text. Part of `SecretScanner`.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/redactor_scan.h"
#include "base/secret_patterns.h"

namespace goondan {

bool finds_pattern(std::string_view text);

// Adds every match whose anchor is at `first` or later, and notes from where more text could change
// the answer.
void scan_patterns(PatternText& text, std::size_t first, SecretScanner::Findings& findings);

// The pattern's match with its anchor at `position`; an empty range for none.
TextRange match_at(PatternText& text, const SecretPattern& pattern, std::size_t position);

}  // namespace goondan
