#include "builtin/telegram/advice.h"

#include <array>
#include <utility>

namespace goondan::builtin::telegram {
namespace {

// A part of a description, and what to do about it.
using Advice = std::pair<std::string_view, std::string_view>;

constexpr std::array kByDescription{
    Advice{"chat not found",
           "Check 'chatId'. The bot must be a member of the chat, or the person must have written "
           "to it first."},
    Advice{"bot was blocked", "The person has blocked the bot; nothing can be sent to them."},
    Advice{"bot was kicked", "Add the bot to the chat again."},
    Advice{"message is not modified", "The message already has this text; nothing is to be done."},
    Advice{"message text is empty", "Give a 'text' that has more than white space."},
    Advice{"message is too long", "Send it in parts of at most 4096 characters."},
    Advice{"can't parse entities",
           "Escape the characters that 'parseMode' gives a meaning, or leave 'parseMode' out."},
    Advice{"message to edit not found", "Check 'messageId'; the message may have been deleted."},
    Advice{"message can't be edited", "Only the bot's own messages can be edited."},
    Advice{"message to delete not found", "Check 'messageId'; it may be deleted already."},
    Advice{"message can't be deleted",
           "It may be older than 48 hours, or the bot lacks the right to delete messages."},
    Advice{"message to react not found", "Check 'messageId'; the message may have been deleted."},
    Advice{"REACTION_INVALID", "Use one of Telegram's reaction emoji, such as 👍 ❤ 🔥."},
    Advice{"REACTIONS_TOO_MANY", "Give one emoji only."},
    Advice{"wrong file_id", "Use the file id of a message that this bot has received."},
    Advice{"file is too big", "The Bot API gives out files of up to 20 MB only."},
};

}  // namespace

std::string advice(std::int64_t code, std::string_view description) {
  constexpr std::int64_t kUnauthorized = 401;
  constexpr std::int64_t kNotFound = 404;
  for (const auto& [part, text] : kByDescription) {
    if (description.find(part) != description.npos) return std::string(text);
  }
  if (code == kUnauthorized || code == kNotFound)
    return "Check the bot token; Telegram does not know it.";
  return {};
}

}  // namespace goondan::builtin::telegram
