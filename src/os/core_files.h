// Core files, which hold whatever a process had in memory.
#pragma once

namespace goondan::os {

// From now on neither this process nor one that it starts leaves a core file, and this one's memory
// is not for other processes of the same user to read. What cannot be forbidden stays as it is.
void forbid_core_files();

}  // namespace goondan::os
