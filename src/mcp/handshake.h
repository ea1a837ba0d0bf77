// Finding out which era a server belongs to, and beginning to talk to it.
//
// A modern server answers `server/discover`, or refuses it in a way that only modern servers do.
// Everything else, silence included, is taken for a legacy server, which is greeted with
// `initialize`.
#pragma once

#include "mcp/client.h"
#include "mcp/exchange.h"

namespace goondan::mcp {

// How long a probe may take when the options do not say.
inline constexpr std::chrono::milliseconds kPipeProbeTime{2'000};
inline constexpr std::chrono::milliseconds kHttpProbeTime{10'000};

struct HandshakeOptions {
  Deadline deadline = Deadline::max();
  std::stop_token stop = {};
  std::chrono::milliseconds probe_time = kPipeProbeTime;
  Era era = Era::Unknown;
  const Services& services;
};

// The era is set on `exchange` and its transport. `E_MCP` if there is no version in common,
// otherwise as `Transport::request`.
Result<ServerInfo> shake_hands(Exchange& exchange, const HandshakeOptions& options);

}  // namespace goondan::mcp
