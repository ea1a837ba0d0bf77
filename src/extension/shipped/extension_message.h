// Messages that extensions put into a conversation, and how they find them again.
#pragma once

#include <string>
#include <string_view>

#include "model/message.h"

namespace goondan::shipped {

// With a new id; its source is `{type: extension, extensionName}`.
Message extension_message(Role role, std::string text, std::string_view extension,
                          JsonObject metadata = {});

bool is_from_extension(const Message& message, std::string_view extension);

// The text of a message, or of the part of it that a bounded list shows: one line, no control
// characters, at most `limit` code points, the last of them an ellipsis if it was cut.
std::string one_line(std::string_view text, std::size_t limit);

}  // namespace goondan::shipped
