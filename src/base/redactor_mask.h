// Masking in place, with what is known at one moment.
#pragma once

#include <string>

#include <goondan/json.h>

#include "base/redactor_scan.h"

namespace goondan {

// Neither allocates if there is nothing to mask and no nesting.
void mask_in(const SecretScanner& scanner, std::string& text);
void mask_in(const SecretScanner& scanner, Json& value);

}  // namespace goondan
