// Which swarm of a bundle is meant.
#pragma once

#include <string_view>

#include <goondan/bundle.h>
#include <goondan/result.h>

namespace goondan {

// The one called `name`; without a name the one called `default`, else the only one. Fails with
// `E_CONFIG_SWARM_MISSING`, naming those there are.
Result<SwarmResource> choose_swarm(const Bundle& bundle, std::string_view name);

}  // namespace goondan
