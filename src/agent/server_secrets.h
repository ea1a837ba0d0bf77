// What an MCP server is given in confidence.
#pragma once

#include <string>
#include <vector>

#include <goondan/resources.h>

namespace goondan::agent {

// The values of the server's `env` and `headers` that must turn up nowhere else, whatever the
// server does with them: those that by their name, or by that of the variable they come from, are
// secrets; of headers also all that the bundle does not spell out. Only what can be masked without
// damage to ordinary text.
std::vector<std::string> server_secrets(const McpServerResource& server,
                                        const ValueSource::Environment& environment);

}  // namespace goondan::agent
