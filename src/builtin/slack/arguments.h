// Reading the arguments that only Slack has. Part of the tool `slack`.
#pragma once

#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::builtin::slack {

// `channelId` or `channel`.
Result<std::string> read_channel(const JsonObject& input);

// `messageTs`, `ts` or `timestamp`.
Result<std::string> read_message_ts(const JsonObject& input);

// `emoji` and `emojis` as Slack names them: without colons around them, each once. An error if
// there is none, or if one cannot be a name.
Result<std::vector<std::string>> read_reactions(const JsonObject& input);

}  // namespace goondan::builtin::slack
