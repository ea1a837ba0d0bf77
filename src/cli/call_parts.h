// What `gdn call` and `gdn mcp call` have in common.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <goondan/executor.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress_line.h"

namespace goondan::cli {

// The tool and its arguments as they were typed.
struct CallWords {
  const std::string& tool;
  const std::vector<std::string>& words;    // key=value
  const std::optional<std::string>& input;  // JSON, or "-" for standard input
};

// Standard input up to one byte past the limit for arguments; the parser then says what is wrong.
// What has come so far if it is interrupted: the call is cancelled then.
std::string read_standard_input(const Interrupt& interrupt);

Result<ToolCall> make_tool_call(const CallWords& request, const ToolCatalog& catalog,
                                const Interrupt& interrupt);

// `folder`: the working folder; none: this one. `surroundings`: {origin?, auth?}.
Result<std::shared_ptr<const CallScope>> make_call_scope(const std::optional<std::string>& folder,
                                                         const JsonObject& surroundings = {});

std::shared_ptr<ProgressLine> make_progress_line();

// Prints the result and says how to end.
ExitCode finish_call(const ToolExecutor& executor, const ToolCallResult& result, Answer json,
                     const Interrupt& interrupt);

}  // namespace goondan::cli
