#include "cli/exit_codes.h"

namespace goondan::cli {

ExitCode exit_code_for(ErrorCode code) {
  if (code == ErrorCode::Usage) return ExitCode::Usage;
  if (code == ErrorCode::Limit) return ExitCode::Limit;
  if (wire_code(code).starts_with("E_CONFIG") || wire_code(code).starts_with("E_PLUGIN")) {
    return ExitCode::Config;
  }
  if (code == ErrorCode::ModelAuth || code == ErrorCode::TokenMissing) return ExitCode::Auth;
  if (code == ErrorCode::ModelConfig || code == ErrorCode::Script) return ExitCode::Config;
  if (wire_code(code).starts_with("E_MODEL")) return ExitCode::Model;
  if (wire_code(code).starts_with("E_NETWORK") || code == ErrorCode::Tls) return ExitCode::Network;
  if (code == ErrorCode::McpServer) return ExitCode::Network;
  if (code == ErrorCode::HostNotAllowed || code == ErrorCode::PathOutsideWorkspace) {
    return ExitCode::Denied;
  }
  return ExitCode::Error;
}

}  // namespace goondan::cli
