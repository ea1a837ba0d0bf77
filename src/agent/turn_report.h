// What is told of a turn as a whole: observations and its span.
#pragma once

#include "agent/engine.h"

namespace goondan::agent {

enum class Taken { New, Up };  // Up: it had begun before

void tell_turn_start(const Engine& engine, const TurnProgress& turn, Taken taken);
void tell_turn_end(const Engine& engine, const TurnProgress& turn, const TurnOutcome& outcome);
void end_turn_span(Engine& engine, const TurnProgress& turn, const TurnOutcome& outcome);

}  // namespace goondan::agent
