// What comes in from outside as messages of the conversation.
#pragma once

#include "extension/turn_message.h"
#include "model/message.h"
#include "store/instance_store.h"

namespace goondan::agent {

// The user message of a turn. Where it came from stands in its metadata under `__goondanInbound`.
Message inbound_message(const TurnMessage& message);

// An injection as it was sent: `{id, text, metadata, source, eventType}`. What is none is its text.
TurnMessage injected(const store::Injection& injection);

// Whether both came from the same place and act on behalf of the same person. A turn reads only
// what is its own in this sense: two people at one agent are never merged into one turn.
bool same_surroundings(const TurnMessage& a, const TurnMessage& b);

// A turn that answers injections has no message of its own; this stands in for it.
TurnMessage injections_turn(const store::Injection& first);
bool is_injections_turn(const TurnMessage& message);

}  // namespace goondan::agent
