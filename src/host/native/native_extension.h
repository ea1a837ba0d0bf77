// Native extensions: a shared library or C++ source with `GDN_EXTENSION`, in a worker process that
// takes many calls at a time, or in our own.
#pragma once

#include <memory>
#include <stop_token>

#include <goondan/bundle.h>

#include "host/peer/peer.h"

namespace goondan {

// Builds the plugin if its entry is source, and loads it where `isolation` says. `E_EXT_LOAD` if it
// holds no extension; else as for tools.
Result<std::shared_ptr<Peer>> load_native_extension(const Bundle& bundle,
                                                    const ExtensionResource& extension,
                                                    const std::stop_token& stop = {});

}  // namespace goondan
