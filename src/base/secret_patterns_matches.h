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
TextRange match_named_private_key(PatternText& text, TextRange anchor);

// `DB_PASSWORD=...`, `"password": "..."`: any characters, up to the quote if there is one.
TextRange match_password(PatternText& text, TextRange name);
bool is_password(std::string_view value);

// `Cookie: ...`: from the first value that could be a session's to the end of the line.
TextRange match_cookie(PatternText& text, TextRange anchor);
TextRange find_cookie_values(PatternText& text, std::size_t begin);

// `AKIA...` and `AIza...`, but not in base64.
TextRange match_aws_key(PatternText& text, TextRange anchor);
TextRange match_google_key(PatternText& text, TextRange anchor);

// `bot<id>:<secret>` in the URLs of Telegram, where `bot` stays, and `<id>:AA<secret>` alone; the
// id is public.
TextRange match_bot_url(PatternText& text, TextRange anchor);
TextRange match_bot_token(PatternText& text, TextRange anchor);

// `hooks.slack.com/services/T.../B.../...`
TextRange match_slack_webhook(PatternText& text, TextRange anchor);

// `SG.<id>.<secret>`
TextRange match_sendgrid(PatternText& text, TextRange anchor);

// From `-----BEGIN ... PRIVATE KEY-----` to the matching end, or as far as the key goes.
TextRange match_private_key(PatternText& text, TextRange anchor);

// The password in `://user:password@`.
TextRange match_url_password(PatternText& text, TextRange anchor);

// `header.payload.signature`, and the five parts of an encrypted one.
TextRange match_jwt(PatternText& text, TextRange anchor);

}  // namespace goondan::patterns
