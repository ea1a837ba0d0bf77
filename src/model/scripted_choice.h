// Which reply of a script fits a conversation.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/scripted_script.h"

namespace goondan::scripted {

// Where a conversation stands. Borrows its messages.
struct Situation {
  std::string_view system = {};
  std::span<const Message> news = {};  // the last of the user, or the results since the last answer
  std::size_t turn = 0;                // messages of the user so far
  std::size_t step = 1;                // 1 + answers since the last of them
  std::size_t answers = 0;             // answers so far
};

struct Choice {
  const Reply* reply = nullptr;      // null: none fits
  const Message* message = nullptr;  // that `when` fits; null if it says nothing about one
  Situation situation = {};
};

// The first reply that fits and has not been used up. How often each has been used is found by
// going through the conversation from its beginning.
Choice choose(const Script& script, std::string_view system, std::span<const Message> messages);

// What the references of the reply may name.
JsonObject scope_of(const Choice& choice, const ModelRequest& request);

}  // namespace goondan::scripted
