// Numbers as JavaScript writes them: `100`, `1e+21`, `1e-7`.
#pragma once

#include <string>

#include <goondan/json.h>

namespace goondan {

// Appends the text of `number`, which must be one. Integers are written in full, also those that
// JavaScript rounds.
void append_number_text(std::string& out, const Json& number);

}  // namespace goondan
