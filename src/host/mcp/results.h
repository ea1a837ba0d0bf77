// The result of an MCP tool as the result of one of ours.
#pragma once

#include <cstddef>

#include <goondan/json.h>
#include <goondan/result.h>

#include "host/mcp/result_files.h"

namespace goondan {

struct McpOutput {
  Json value = nullptr;
  std::size_t removed = 0;  // hidden code points
};

// Text alone becomes one string; `structuredContent` the value itself, if the rest only repeats it;
// everything else `{content: [...]}`, with `structuredContent` if there is one. Bytes are written
// to `files` and described as `{type, mimeType, bytes, path}`. All texts are cleaned. `isError`
// becomes `E_MCP_TOOL` with the text; what is no result, `E_MCP`.
Result<McpOutput> mcp_output(const Json& call_result, McpResultFiles& files);

}  // namespace goondan
