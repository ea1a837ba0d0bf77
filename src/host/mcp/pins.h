// Which tools of MCP servers may be used: those whose definition is still the accepted one.
//
// Functions over the file of pins; all may run in several threads and processes at once.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <goondan/resources.h>

#include "host/mcp/pins_file.h"
#include "host/mcp/tool_definition.h"

namespace goondan {

// Further new tools of a server are not accepted: a server that renames its tools for ever must not
// fill the disk.
inline constexpr std::size_t kMaxPinsOfServer = 20'000;

// How a bundle's folder is named in pins.
std::string mcp_pin_bundle(const std::filesystem::path& root);

struct McpPinScope {
  std::string bundle = {};  // of `mcp_pin_bundle`
  std::string extension = {};
  std::string server = {};
  McpServerResource::Trust trust = McpServerResource::Trust::FirstUse;
};

struct McpJudgement {
  enum class Verdict { Fine, Changed, NotApproved, TooMany } verdict = Verdict::Fine;
  std::string reason = {};  // why the tool is disabled
};

// One judgement for each tool, in their order. What is first seen is accepted or put down for
// approval, as the trust says; what has changed is put down for approval. If the file cannot be
// read or written nothing may be used: the error says why.
Result<std::vector<McpJudgement>> judge_mcp_tools(const std::filesystem::path& file,
                                                  const McpPinScope& scope,
                                                  std::span<const McpDefinition> tools);

// Which pins; an empty text stands for any.
struct McpPinFilter {
  std::string bundle = {};
  std::string extension = {};
  std::string server = {};
  std::string tool = {};
  std::string hash = {};  // the beginning of the hash of what is offered
};

// All pins that fit. Texts in definitions are as the servers sent them: clean them for a terminal.
Result<McpPins> list_mcp_pins(const std::filesystem::path& file, const McpPinFilter& filter);

// Accepts what is offered for the pins that fit; returns them as they were before. `E_NOT_FOUND` if
// nothing that fits waits for approval. Running agents follow before their next step.
Result<McpPins> approve_mcp_tools(const std::filesystem::path& file, const McpPinFilter& filter);

// Forgets the pins that fit; returns them. `E_NOT_FOUND` if there are none.
Result<McpPins> forget_mcp_tools(const std::filesystem::path& file, const McpPinFilter& filter);

}  // namespace goondan
