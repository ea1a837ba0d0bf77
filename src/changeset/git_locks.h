// Files of Git that are replaced whole, under the lock that Git itself looks at (`<file>.lock`).
//
// The new content is written to a file of our own first and linked to the lock's name, so that the
// lock is held for an instant only. Should we be killed in that instant, it is known by the file of
// ours that it is a link to, and the next one who works here removes it.
#pragma once

#include <filesystem>
#include <functional>

#include <goondan/result.h>

namespace goondan::changeset {

enum class Replaced { No, Yes };

// Puts `prepared` in the place of `file`, if `still_wanted` says so once the lock is held. Waits a
// few seconds for others; `E_STORE_BUSY` after that. `prepared` is gone afterwards.
Result<Replaced> replace_locked(const std::filesystem::path& prepared,
                                const std::filesystem::path& file,
                                const std::function<Result<bool>()>& still_wanted);

// Removes `prepared` and those locks in `folder` (also below it) that are links to it.
void remove_stale(const std::filesystem::path& prepared, const std::filesystem::path& folder);

}  // namespace goondan::changeset
