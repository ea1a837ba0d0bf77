// What a changeset must not do, whoever allows it, and what its policy does not allow.
#pragma once

#include <optional>

#include "changeset/answers.h"
#include "changeset/changesets.h"
#include "changeset/scan.h"

namespace goondan::changeset {

// The first reason to turn `scan` away: limits, kinds of files, the bundle's border, the policy,
// links that lead out of the bundle.
std::optional<Refusal> first_objection(const Repository& repository, const Scan& scan,
                                       const TreeFiles& base, const Policy& policy);

// Whether a link at `path` with this target stays in the folder that paths are relative to, and out
// of Git's. It may not lead through one of `links`, nor go up after it has gone down, since then
// that cannot be said by the names alone.
bool link_stays_inside(const std::string& path, const std::string& target,
                       const std::vector<std::string>& links);

}  // namespace goondan::changeset
