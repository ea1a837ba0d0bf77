// A process of its own with a manager, for the tests with several of them.
#pragma once

#include <string>

#include "net/test_server.h"
#include "oauth/manager.h"

namespace goondan::oauth {

// What parent and child both know: an application at a server on loopback.
App loopback_app(std::uint16_t port);
Json loopback_auth();
std::string said_by(const TokenResult& result);

// `child <mode> <folder of the store> <port> [<kill at> [<state>]]`. Modes:
//   token     says `ready`, waits for the end of its standard input, then asks for a token
//   refresh   asks for a token, and is killed before the given call to the disk after the answer
//   exchange  a browser comes back with the state, and is killed likewise
int run_manager_child(int argc, char** argv);

}  // namespace goondan::oauth
