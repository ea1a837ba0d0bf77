// Which tools of MCP servers may be used: those whose definition is still the accepted one.
//
// Functions over the file of pins; all may run in several threads and processes at once.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <goondan/resources.h>

#include "host/mcp/pins_file.h"
#include "host/mcp/tool_definition.h"

namespace goondan {

// Further new tools of a server are not accepted: a server that renames its tools for ever must not
// fill the disk, nor the file that it shares with others.
inline constexpr std::size_t kMaxPinsOfServer = 20'000;
inline constexpr std::size_t kMaxPinBytesOfServer = std::size_t{16} << 20;

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

// Which pins; what is empty stands for any.
struct McpPinFilter {
  std::string bundle = {};
  std::string extension = {};
  std::string server = {};
  std::string tool = {};
  std::set<std::string> offered = {};  // hashes of what is offered
};

// All pins that fit. Texts in definitions are as the servers sent them: clean them for a terminal.
Result<McpPins> list_mcp_pins(const std::filesystem::path& file, const McpPinFilter& filter);

// Accepts what is offered for the pins that fit; returns them as they were before. `E_NOT_FOUND` if
// nothing that fits waits for approval. Running agents follow before their next step.
Result<McpPins> approve_mcp_tools(const std::filesystem::path& file, const McpPinFilter& filter);

}  // namespace goondan
