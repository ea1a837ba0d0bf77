// What an agent may reach: what its swarm allows, narrowed by what it says itself.
#pragma once

#include <goondan/resources.h>

namespace goondan {

// The swarm's policy is the maximum, and what an agent has that says nothing. Hosts, folders and
// variables: what both name. Numbers: the smaller. The bypass of the catalog: if the swarm allows
// it and the agent does not refuse it. Paths of folders are absolute in both. A function of its
// arguments.
Policy narrowed(const Policy& swarm, const Policy& agent);

}  // namespace goondan
