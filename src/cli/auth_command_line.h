// Declares the commands of `auth_commands.h` on the parser.
#pragma once

#include <functional>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace goondan::cli {

// Once parsed, the command sets `action` to what is to be run.
void declare_auth_commands(CLI::App& app, std::function<ExitCode()>& action);

}  // namespace goondan::cli
