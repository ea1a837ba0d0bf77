#include "cli/exit_codes.h"

namespace goondan::cli {

ExitCode exit_code_for(ErrorCode code) {
  if (code == ErrorCode::Usage) return ExitCode::Usage;
  if (code == ErrorCode::Limit) return ExitCode::Limit;
  if (wire_code(code).starts_with("E_CONFIG") || wire_code(code).starts_with("E_PLUGIN")) {
    return ExitCode::Config;
  }
  return ExitCode::Error;
}

}  // namespace goondan::cli
