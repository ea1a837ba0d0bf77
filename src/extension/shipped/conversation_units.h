// A conversation in pieces that can be taken out of it: a call never without its results.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "extension/contexts.h"

namespace goondan::shipped {

// Messages that stay or go together, by their places in the conversation, which rise.
struct Unit {
  enum class Kind {
    Plain,  // one message
    Calls,  // an assistant's message with the results of its calls
    Stray,  // a result whose call is not there
  };
  Kind kind = Kind::Plain;
  std::vector<std::size_t> places = {};
};

// All messages, each in one unit, in the order of their first messages.
std::vector<Unit> units_of(std::span<const Message> messages);

// The place of the message that started this turn: the last of the user's with its words, or else
// the last that came from outside. The number of messages if there is none.
std::size_t turn_start(std::span<const Message> messages, const TurnMessage& input);

// Whether an extension must leave it where it is: `metadata.pinned`, and whatever is for the
// system.
bool is_kept(const Message& message);

// The key in `metadata` of the one message that stands for those that were compacted.
inline constexpr const char* kSummaryKey = "goondanSummary";
bool is_summary(const Message& message);

// Takes messages out, as far as the store lets it.
Result<void> remove_all(ConversationView& conversation, std::span<const std::string> ids);

}  // namespace goondan::shipped
