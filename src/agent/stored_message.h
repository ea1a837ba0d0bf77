// Messages as they lie in the store.
#pragma once

#include "model/message.h"
#include "store/instance_store.h"

namespace goondan::agent {

store::StoredMessage to_stored(const Message& message);

// `E_STORE_CORRUPT`, which names the message, if it cannot be read.
Result<Message> from_stored(const store::StoredMessage& message);

// Gives `message` what it lacks (id, time) and refuses what could not be read again later.
Result<void> make_storable(Message& message);

}  // namespace goondan::agent
