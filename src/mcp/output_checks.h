// Checks what tools return against the `outputSchema` that the server declared for them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "mcp/client.h"
#include "mcp/server_log.h"
#include "schema/schema.h"

namespace goondan::mcp {

// Borrows the log. Thread-safe. Keeps the compiled schemas of at most `kMaxTools` tools.
class OutputChecks {
 public:
  explicit OutputChecks(ServerLog& log) : log_(log) {}

  // `result` is a `CallToolResult`. `E_MCP` if it is none, or if its `structuredContent` does not
  // fit. A schema that cannot be compiled is noted once and not checked.
  Result<void> check(const ToolInfo& tool, const JsonObject& result);

 private:
  struct Compiled {
    Json source = nullptr;
    std::shared_ptr<const Schema> schema = {};  // none: it could not be compiled
  };

  std::shared_ptr<const Schema> schema_of(const ToolInfo& tool);

  ServerLog& log_;
  std::mutex mutex_;
  std::map<std::string, Compiled> compiled_;
};

}  // namespace goondan::mcp
