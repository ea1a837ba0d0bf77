// Replacing the program of this process by itself: same process, same lock, same connections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <goondan/result.h>

#include "orchestrator/clients.h"
#include "os/unique_fd.h"

namespace goondan::orchestrator {

// What goes from one program to the next. Values and descriptors; a resource.
struct Handover {
  os::UniqueFd lock = {};      // of the workspace
  os::UniqueFd listener = {};  // connections that come in between wait in it
  OwnerState owner = {};
  std::string reason = {};
  std::int64_t began_ms = 0;                          // since 1970
  std::optional<std::uint64_t> soft_open_files = {};  // the limit that agents get
  std::string problem = {};  // why the program could not be replaced; empty: it was
};

// Starts the program anew with `words` and the handover. Returns only if that failed; the handover
// is as it was then.
Error replace_program(const std::vector<std::string>& words, Handover& handover);

// What the program before this one left in `fd`.
Result<Handover> take_handover(int fd);

// The connection of an owner that has started us, if descriptor 3 is one.
OwnerState inherited_owner();

}  // namespace goondan::orchestrator
