// Results that are too large for a model: it is shown the beginning, the whole is kept and can be
// read on from (`handles__read`, answered by `read_output` of turn_runner.h).
#pragma once

#include <cstddef>
#include <string_view>

#include <goondan/tool.h>

#include "model/message.h"
#include "store/instance_store.h"

namespace goondan::agent {

// Its results are pieces already and are not cut again.
inline constexpr std::string_view kReadTool = "handles__read";

// Under this key of its metadata a message says what was cut: `{handle, bytes, shownBytes}`.
inline constexpr std::string_view kCutKey = "__goondanCut";

// Deeper values are kept as their text: not every reader of the store could take them apart again.
inline constexpr std::size_t kMaxKeptLevels = 100;

// The message of `result`, with what is beyond `max_bytes` kept in `store` instead.
Result<Message> result_message(store::InstanceStore& store, ToolCallResult result,
                               std::size_t max_bytes);

}  // namespace goondan::agent
