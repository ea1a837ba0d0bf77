// Masking in place, with what is known at one moment.
#pragma once

#include <string>

#include <goondan/json.h>

#include "base/redactor.h"
#include "base/redactor_scan.h"

namespace goondan {

// Neither allocates if there is nothing to mask and no nesting.
void mask_in(const SecretScanner& scanner, std::string& text);
void mask_in(const SecretScanner& scanner, Json& value);

// The same for a text that was cut off: see `Redactor::redact_cut`.
void mask_in_cut(const SecretScanner& scanner, std::string& text, CutSide side);

}  // namespace goondan
