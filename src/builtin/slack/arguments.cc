#include "builtin/slack/arguments.h"

#include <algorithm>

#include "base/white_space.h"
#include "builtin/arguments.h"
#include "builtin/messaging/fields.h"

namespace goondan::builtin::slack {
namespace {

std::string without_colons(std::string_view name) {
  constexpr std::size_t kShortest = 3;
  if (name.size() >= kShortest && name.starts_with(':') && name.ends_with(':'))
    name = name.substr(1, name.size() - 2);
  return std::string(name);
}

bool has_white_space(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (unicode::trim_start(text.substr(i)).size() < text.size() - i) return true;
  }
  return false;
}

}  // namespace

Result<std::string> read_channel(const JsonObject& input) {
  return messaging::needed_argument(input, {"channelId", "channel"});
}

Result<std::string> read_message_ts(const JsonObject& input) {
  return messaging::needed_argument(input, {"messageTs", "ts", "timestamp"});
}

Result<std::vector<std::string>> read_reactions(const JsonObject& input) {
  std::vector<std::string> names;
  for (const std::string& emoji : messaging::read_emojis(input)) {
    std::string name = without_colons(emoji);
    if (has_white_space(name)) {
      return Error{.code = ErrorCode::ToolInvalidArgs,
                   .message = "Invalid Slack emoji name '" + name + "': it has white space",
                   .suggestion = "Names are one word, such as thumbsup or white_check_mark."};
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.empty()) {
    return Error{.code = ErrorCode::ToolInvalidArgs,
                 .message = "Provide 'emoji' or 'emojis' to add Slack reaction."};
  }
  return names;
}

}  // namespace goondan::builtin::slack
