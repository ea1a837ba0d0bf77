// A server behind an address: Streamable HTTP of both eras.
#pragma once

#include <memory>

#include "mcp/client.h"

namespace goondan::mcp {

// Connects with its first request. Addresses are judged by `hosts`; redirects are not followed to
// another origin.
Result<std::unique_ptr<Transport>> open_http(const Server& server, const net::HostPolicy& hosts,
                                             OnMessage on_message,
                                             std::function<void(LogLevel, std::string_view)> log);

}  // namespace goondan::mcp
