// What an agent may reach: what its swarm allows, narrowed by what it says itself.
#pragma once

#include <goondan/resources.h>

namespace goondan {

// The swarm's policy is the maximum. Hosts, folders and variables: what both name; the swarm's
// where the agent names none. Numbers: the smaller. The bypass of the catalog: only if both allow
// it. Paths of folders are absolute in both. A function of its arguments.
Policy narrowed(const Policy& swarm, const Policy& agent);

}  // namespace goondan
