// The process of a native extension: takes the calls of `docs/extension-protocol.md` off descriptor
// 3, many at a time, each on a thread of its own.
#pragma once

namespace goondan {

// Ends the process when the socket ends; does not return.
[[noreturn]] void run_extension_worker();

}  // namespace goondan
