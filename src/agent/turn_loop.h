// Taking turns: one message after the other, each answered.
#pragma once

#include "agent/inbox.h"
#include "agent/link.h"
#include "agent/outbox.h"
#include "agent/turn_runner.h"

namespace goondan::agent {

// Borrowed.
struct TurnLoop {
  Inbox& inbox;
  store::InstanceStore& store;
  TurnRunner& runner;
  Link& link;
  Outbox& outbox;
};

// Runs until the inbox is closed. What happened in a turn is told before its end.
void take_turns(const TurnLoop& loop);

}  // namespace goondan::agent
