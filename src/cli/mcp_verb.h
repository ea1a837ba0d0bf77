// The parts that the verbs of `gdn mcp` have in common on the command line.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <goondan/error.h>

#include "cli/mcp_command_line.h"
#include "cli/mcp_commands.h"

namespace CLI {
class App;
}

namespace goondan::cli {

// One verb while it is declared; cheap to copy. The words that are no options are kept as they
// come: whether the first of them is the server is known only once `--` has been looked for.
struct McpVerb {
  CLI::App* command = nullptr;
  std::shared_ptr<std::vector<std::string>> words = std::make_shared<std::vector<std::string>>();
  std::shared_ptr<std::map<std::string, bool>> flags =
      std::make_shared<std::map<std::string, bool>>();

  // `words`: what the words are, for the help; empty: there are none.
  static McpVerb add(CLI::App& mcp, const std::string& name, const std::string& what,
                     const std::string& words);
  void flag(const std::string& name, const std::string& what) const;
  [[nodiscard]] Answer answer(const std::string& name) const;
};

void add_mcp_timeout(CLI::App& command, std::chrono::milliseconds& timeout,
                     const std::string& what);
void add_mcp_bundle(CLI::App& command, McpServerChoice& where);
// The bundle and all that says how a server is spoken to.
void add_mcp_where(CLI::App& command, McpServerChoice& where);
// What the server may ask of its client while it works on a request.
void add_mcp_services(CLI::App& command, McpServerChoice& where);

// Takes the words apart: the server first, unless its command came after `--`.
class McpTaker {
 public:
  McpTaker(const McpVerb& verb, const McpWords& split, McpServerChoice& where);

  std::string take(const std::string& what);  // `what` is told if there is none
  std::optional<std::string> take_if_there();
  std::vector<std::string> rest();
  // `action`, or, if a word was missing or is left, one that says so.
  std::function<ExitCode()> then(std::function<ExitCode()> action);

 private:
  std::string verb_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  std::optional<Error> problem_ = {};
};

}  // namespace goondan::cli
