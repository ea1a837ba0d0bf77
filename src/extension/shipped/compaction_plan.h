// Which messages of a conversation that has grown too long are to become a summary.
#pragma once

#include "extension/shipped/conversation_units.h"
#include "extension/shipped/digest.h"

namespace goondan::shipped {

struct CompactionLimits {
  std::size_t max_messages;
  std::size_t max_characters;
  std::size_t keep_last;
  std::size_t summary_characters;
};

// When it is done. Between two turns the conversation must fit, so that even of the last messages
// some may go; within a turn the model still works with those.
enum class CompactionTime { TurnStart, Step };

struct CompactionPlan {
  std::vector<std::string> ids =
      {};                       // what is to go, in the order of the conversation; none: nothing
  std::string summary_id = {};  // the summary that is there; empty: none
  Summary summary;              // with what is to go in it
};

// Nothing is to go while the conversation is within its limits. Otherwise the oldest go, until it
// is down to half of them: the next time is some way off, and providers can use their caches until
// then. What is for the system does not count and stays, as do pinned messages, the one that
// started the turn, and the last answer with its calls.
CompactionPlan plan_compaction(std::span<const Message> messages, const TurnMessage& input,
                               const CompactionLimits& limits, CompactionTime time);

}  // namespace goondan::shipped
