#include "host/mcp/tool_names.h"

#include <algorithm>
#include <set>

#include <goondan/tool.h>

#include "base/sha256.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxServerPart = 40;
constexpr std::size_t kShortHash = 8;
constexpr std::size_t kLongHash = 16;  // where the short one does not tell two names apart

bool accepted_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// The plain name if it needs no change; else empty.
std::string plain_name(std::string_view server, std::string_view tool) {
  auto name = ToolName::build(server, tool);
  const bool fine = name.ok() && name->size() <= kMaxMcpToolName &&
                    std::all_of(name->begin(), name->end(), accepted_character);
  return fine ? *std::move(name) : std::string();
}

// Acceptable characters only, and never two underscores in a row.
std::string tamed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char kept = accepted_character(c) ? c : '_';
    if (kept != '_' || !out.ends_with('_')) out += kept;
  }
  return out;
}

std::string trimmed(std::string text) {
  while (text.ends_with('_'))
    text.pop_back();
  return text;
}

std::string hashed_name(std::string_view server, std::string_view tool, std::size_t digits) {
  const std::string whole = std::string(server) + "__" + std::string(tool);
  const std::string ending = sha256_hex(whole, digits);
  std::string front = trimmed(tamed(server).substr(0, kMaxServerPart));
  if (front.empty()) front = "mcp";
  const std::size_t left = kMaxMcpToolName - front.size() - 2 - ending.size() - 1;
  const std::string middle = trimmed(tamed(tool).substr(0, left));
  return front + "__" + (middle.empty() ? "" : middle + "_") + ending;
}

}  // namespace

McpToolNames::McpToolNames(std::string_view server, std::span<const std::string> tools) {
  // Names that need no change keep theirs, whatever else the server announces.
  std::set<std::string> taken;
  std::map<std::string, std::size_t> short_names;
  for (const std::string& tool : std::set<std::string>(tools.begin(), tools.end())) {
    std::string plain = plain_name(server, tool);
    if (plain.empty()) {
      ++short_names[hashed_name(server, tool, kShortHash)];
    } else {
      taken.insert(plain);
    }
    outward_.emplace(tool, std::move(plain));
  }
  for (auto& [tool, name] : outward_) {
    if (name.empty()) {
      name = hashed_name(server, tool, kShortHash);
      if (short_names[name] > 1 || taken.contains(name)) {
        name = hashed_name(server, tool, kLongHash);
      }
    }
    inward_.emplace(name, tool);
  }
}

std::string McpToolNames::visible(std::string_view tool) const {
  const auto at = outward_.find(tool);
  return at == outward_.end() ? std::string() : at->second;
}

std::string McpToolNames::original(std::string_view visible) const {
  const auto at = inward_.find(visible);
  return at == inward_.end() ? std::string() : at->second;
}

}  // namespace goondan
