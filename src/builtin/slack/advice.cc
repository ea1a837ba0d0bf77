#include "builtin/slack/advice.h"

#include <algorithm>
#include <array>
#include <utility>

#include "builtin/messaging/fields.h"

namespace goondan::builtin::slack {
namespace {

using Advice = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kCheckToken = "Check the bot token; Slack does not accept it.";

constexpr std::array kAdvice{
    Advice{"channel_not_found", "Check 'channelId'; a private channel is only seen by members."},
    Advice{"not_in_channel", "Invite the bot to the channel first."},
    Advice{"is_archived", "The channel is archived; use another."},
    Advice{"message_not_found", "Check 'messageTs'; the message may have been deleted."},
    Advice{"thread_not_found", "Check 'threadTs'."},
    Advice{"cant_update_message", "Only messages that this bot has posted can be edited."},
    Advice{"edit_window_closed", "The workspace no longer lets this message be edited."},
    Advice{"cant_delete_message", "Only messages that this bot has posted can be deleted."},
    Advice{"already_reacted", "The reaction is there already; nothing is to be done."},
    Advice{"invalid_name", "Use the name of an emoji that the workspace has, such as thumbsup."},
    Advice{"too_many_reactions", "The message has as many reactions as Slack allows."},
    Advice{"no_text", "Give a 'text' that has more than white space."},
    Advice{"msg_too_long", "Send it in parts of at most 4000 characters."},
    Advice{"invalid_cursor", "Use 'nextCursor' of the call before, with the same other arguments."},
    Advice{"invalid_auth", kCheckToken},
    Advice{"not_authed", kCheckToken},
    Advice{"token_revoked", kCheckToken},
    Advice{"token_expired", kCheckToken},
    Advice{"account_inactive", kCheckToken},
};

}  // namespace

std::string advice(std::string_view problem, const Json& answer) {
  if (problem == "missing_scope") {
    const std::string needed = messaging::string_or(answer, "needed", "");
    return "The bot's app needs the scope " +
           (needed.empty() ? "that the method asks for" : needed) +
           "; add it and install the app again.";
  }
  const auto* const found = std::ranges::find(kAdvice, problem, &Advice::first);
  return found == kAdvice.end() ? std::string() : std::string(found->second);
}

}  // namespace goondan::builtin::slack
