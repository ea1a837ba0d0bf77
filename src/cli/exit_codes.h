// How `gdn` ends. Scripts rely on these numbers; `docs/commands.md` lists them.
#pragma once

#include <goondan/error.h>

namespace goondan::cli {

enum class ExitCode : int {
  Ok = 0,
  Error = 1,  // also: the tool answered with an error
  Usage = 2,
  Config = 3,
  Validation = 4,
  Network = 5,
  Auth = 6,
  Denied = 7,
  Limit = 8,
  Model = 10,
  Interrupted = 130,
};

constexpr int number(ExitCode code) {
  return static_cast<int>(code);
}

// The exit code that an error outside of any tool call deserves.
ExitCode exit_code_for(ErrorCode code);

}  // namespace goondan::cli
