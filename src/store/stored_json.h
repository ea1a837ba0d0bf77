// Reading JSON back that lies in a database of ours.
//
// What comes in from outside is checked there: frames have `ipc::kMaxMessageDepth` levels at most,
// outputs of tools fewer. What has been kept is wrapped in a few more. So this is the one rule for
// reading: whatever was kept can be read again.
#pragma once

#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::store {

inline constexpr JsonLimits kStoredJson{.max_bytes = std::size_t{1} << 30, .max_depth = 256};

inline Result<Json> parse_stored(std::string_view text) {
  return parse_json(text, kStoredJson);
}

}  // namespace goondan::store
