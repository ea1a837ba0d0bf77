// The variables and headers of imported servers: secrets stay out of the bundle.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/resources.h>

#include "resource/mcp_reader.h"

namespace goondan::cli {

// Whether the text has the shape of a token or key.
bool looks_secret(const std::string& text);
bool holds_variable(const std::string& text);  // `${`

struct McpValueImport {
  const std::string& server;
  std::vector<std::string>& notes;

  // What is a variable there (`${NAME}`, `${env:NAME}`) is one here; what looks like a secret
  // becomes one, and is noted.
  std::map<std::string, ValueSource> read(const JsonObject& values, McpValues kind);
};

}  // namespace goondan::cli
