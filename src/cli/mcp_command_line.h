// Declares the commands of `mcp_commands.h` on the parser.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace goondan::cli {

// The words of `gdn mcp ... -- COMMAND ARGS`, taken apart: the parser must not see the command.
struct McpWords {
  std::vector<char*> before = {};         // with the program's name; ends before `--`
  std::vector<std::string> command = {};  // empty: there was no `--`
  enum class Dashes { None, There } dashes = Dashes::None;
};
McpWords split_mcp_words(int argc, char** argv);

// Once parsed, the command sets `action` to what is to be run. `words` is borrowed until then.
void declare_mcp_commands(CLI::App& app, const McpWords& words, std::function<ExitCode()>& action);

}  // namespace goondan::cli
