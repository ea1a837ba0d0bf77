// What a script asks about one message of a conversation. Any message will do.
#pragma once

#include <string>
#include <string_view>

#include "model/message.h"

namespace goondan::scripted {

// What the model reads of a message.
std::string read_text_of(const Message& message);

// What stands in the place of the output of a call with this status, `error` or `pending`; null if
// it has another. Borrowed from the message.
const JsonObject* note_of(const Message& message, std::string_view status);

// The same for a pending call that has a handle.
const JsonObject* pending_of(const Message& message);

// Of a result.
CallStatus status_of(const Message& message);

}  // namespace goondan::scripted
