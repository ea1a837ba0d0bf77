#include "cli/mcp_commands.h"
namespace goondan::cli {
ExitCode run_mcp_list(const McpListRequest&) {
  return ExitCode::Error;
}
ExitCode run_mcp_tools(const McpToolsRequest&) {
  return ExitCode::Error;
}
ExitCode run_mcp_call(const McpCallRequest&) {
  return ExitCode::Error;
}
ExitCode run_mcp_thing(const McpThingRequest&) {
  return ExitCode::Error;
}
ExitCode run_mcp_approve(const McpApproveRequest&) {
  return ExitCode::Error;
}
ExitCode run_mcp_import(const McpImportRequest&) {
  return ExitCode::Error;
}
}  // namespace goondan::cli
