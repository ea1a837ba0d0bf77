// A native extension in our own process.
#pragma once

#include <memory>

#include "host/native/plugin_library.h"
#include "host/peer/peer.h"

namespace goondan {

// `library` must hold an extension. Calls run on the caller's thread, and what the extension says
// in a call is heard on the thread that says it; what it says outside of calls, on its own threads.
// Nothing can end a call that never returns, and a crash is ours.
std::shared_ptr<Peer> make_extension_in_process(std::shared_ptr<const PluginLibrary> library);

}  // namespace goondan
