// Reading the JSON that a service answers with.
//
// What a service has done is done, so one odd character must not hide it: stray bytes and halves
// of surrogate pairs are read as U+FFFD, of a key that stands twice the last value counts, and a
// byte order mark is passed over. `parse_json` is for what we are asked to do, and refuses these.
#pragma once

#include <cstddef>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan::builtin {

// The one value in `text`. Fails with `E_LIMIT` beyond `max_bytes` or the depth of `parse_json`,
// with `E_JSON_PARSE` if it is no JSON, and if the call has been stopped. Thread-safe.
Result<Json> read_lenient_json(std::string_view text, const ToolContext& context,
                               std::size_t max_bytes);

}  // namespace goondan::builtin
