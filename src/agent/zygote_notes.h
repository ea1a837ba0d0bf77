// What a zygote says first: that it has loaded the bundle, or why not.
#pragma once

#include <goondan/json.h>

#include "agent/swarm_plan.h"

namespace goondan::agent {

Json loaded_note(const SwarmPlan& plan);
// With as many of the diagnostics as fit, errors first.
Json failed_note(const PlanFailure& failure);

}  // namespace goondan::agent
