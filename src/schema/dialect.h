// What `$schema` decides: which keywords count, and by which draft's rules.
#pragma once

#include <cstdint>
#include <string_view>

#include <goondan/result.h>

#include "schema/keyword.h"
#include "schema/schema.h"

namespace goondan::schema {

enum class Draft : std::uint8_t {
  Current,
  // One of the drafts before 2020-12, read as 2020-12 but for what many tools still write:
  // `items` with a list, and `$id` with only a fragment for an anchor.
  Older,
};

struct Dialect {
  VocabularySet vocabularies = VocabularySet().set();
  Draft draft = Draft::Current;
};

// The dialect behind the URI in `$schema`. A metaschema that cannot be found is taken for the
// standard one; one that requires a vocabulary we do not know is refused.
Result<Dialect> find_dialect(std::string_view metaschema_uri, const SchemaOptions& options);

// The document behind an absolute URI: the standard's own, then what the options find. An error
// only where `find_document` finds nothing.
std::optional<Json> find_document(std::string_view uri, const SchemaOptions& options);

}  // namespace goondan::schema
