// What every document has in common: `apiVersion`, `kind`, `metadata`, `spec`.
#pragma once

#include <optional>

#include <goondan/resources.h>

#include "resource/diagnostics.h"
#include "resource/place.h"
#include "resource/references.h"

namespace goondan {

struct Envelope {
  ResourceMeta meta;
  std::optional<Place> spec = {};  // absent: nothing there that can be read
};

// Reads the frame of a document and declares its name. Reports everything that is wrong with it.
// Nothing if there is no kind to go on with.
std::optional<Envelope> read_envelope(const SourceDocument& document, Declarations& declarations,
                                      Diagnostics& diagnostics);

// Declares what a document that could not be read to its end is about, so that references to it
// are not reported as well.
void declare_broken(const SourceDocument& document, Declarations& declarations);

}  // namespace goondan
