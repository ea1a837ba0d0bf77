// Where the callbacks of an application arrive, and what the provider is told about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "oauth/app.h"
#include "oauth/callback/server.h"

namespace goondan::oauth {

// The port of the application, or of its `base_url` if that is on loopback; 0: a free one.
Result<std::uint16_t> callback_port(const App& app);

// The redirect URI if callbacks arrive at `port`.
std::string redirect_uri_at(const App& app, std::uint16_t port);

// Where to listen for a session with this redirect URI. Nothing if that is not on loopback and the
// application, null if unknown, does not say a port.
std::optional<CallbackPlace> callback_place(std::string_view redirect_uri, const App* app);

}  // namespace goondan::oauth
