// The text of the file of pins.
#pragma once

#include "host/mcp/pins_file.h"

namespace goondan {

// `path` is for messages.
Result<McpPins> parse_mcp_pins(std::string_view text, const std::filesystem::path& path);
std::string mcp_pins_text(const McpPins& pins);

Error damaged_pins(const std::filesystem::path& path, std::string_view why);

}  // namespace goondan
