// Rules that tie several resources together; checked once all of them have been read.
#pragma once

#include "resource/diagnostics.h"
#include "resource/reading.h"

namespace goondan {

// A package is the first document of its file, and there is one.
void check_packages(const Reading& reading, Diagnostics& diagnostics);

// No two exports that one agent sees share a name; a tool that hides a built-in one is noted.
void check_visible_names(const Reading& reading, Diagnostics& diagnostics);

// MCP servers have names that neither tools nor other servers have, nor anything that looks alike:
// models see their tools as `<server>__<tool>`.
void check_mcp_names(const Reading& reading, Diagnostics& diagnostics);

// First dialect: what a tool asks for is within its application's scopes, and what an export asks
// for is within its tool's.
void check_scopes(const Reading& reading, Diagnostics& diagnostics);

// The agents that swarms begin with, and that connections route to, belong to the swarm.
void check_membership(const Reading& reading, Diagnostics& diagnostics);

// What an agent must call is among its tools.
void check_required_tools(const Reading& reading, Diagnostics& diagnostics);

}  // namespace goondan
