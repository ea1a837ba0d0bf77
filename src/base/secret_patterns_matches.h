// The shapes that take more than a prefix and a run of characters. See `PatternMatch`.
#pragma once

#include "base/secret_patterns.h"

namespace goondan::patterns {

// `Authorization: Basic ...`, also as a member of a JSON object.
TextRange match_authorization(PatternText& text, TextRange anchor);

// `Bearer ...` and `Basic ...` without the header's name.
TextRange match_bearer(PatternText& text, TextRange anchor);
TextRange match_basic(PatternText& text, TextRange anchor);

// `access_token=...`, `"client_secret": "..."`, `api_key: ...`.
TextRange match_named_token(PatternText& text, TextRange anchor);
TextRange match_named_secret(PatternText& text, TextRange anchor);
TextRange match_named_api_key(PatternText& text, TextRange anchor);
TextRange match_named_access_key(PatternText& text, TextRange anchor);

// From `-----BEGIN ... PRIVATE KEY-----` to the matching end, or as far as the key goes.
TextRange match_private_key(PatternText& text, TextRange anchor);

// The password in `://user:password@`.
TextRange match_url_password(PatternText& text, TextRange anchor);

// `header.payload.signature`, and the five parts of an encrypted one.
TextRange match_jwt(PatternText& text, TextRange anchor);

}  // namespace goondan::patterns
