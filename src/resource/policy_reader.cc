#include <algorithm>
#include <charconv>

#include "resource/readers.h"

namespace goondan {
namespace {

bool valid_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
  return failure == std::errc{} && end == text.data() + text.size() && port >= 1 && port <= 65535;
}

// `host`, `host:port` or `[v6]:port`. What the host means is for the policy to decide.
bool valid_host(std::string_view text) {
  if (text.empty() || text.find_first_of(" \t\r\n/@?#") != std::string_view::npos) return false;
  const std::size_t bracket = text.rfind(']');
  const std::string_view rest = bracket == std::string_view::npos ? text : text.substr(bracket + 1);
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return bracket == std::string_view::npos || rest.empty();
  const bool host_empty = bracket == std::string_view::npos ? colon == 0 : colon != 0;
  return !host_empty && valid_port(rest.substr(colon + 1));
}

bool valid_variable(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

using Check = bool (*)(std::string_view);

// A list of texts that each pass `check`.
std::vector<std::string> read_checked(MappingReader& reader, std::string_view name, Check check,
                                      std::string_view suggestion, ReadContext& context) {
  std::vector<std::string> texts;
  for (const Place& item : reader.items(name)) {
    std::optional<std::string> text = read_text(item, context.diagnostics);
    if (!text) continue;
    if (check(*text)) {
      texts.push_back(std::move(*text));
      continue;
    }
    context.diagnostics.error(item.spot(), ErrorCode::ConfigSchemaInvalid,
                              in_backticks(*text) + " cannot stand in " + in_backticks(name),
                              std::string(suggestion));
  }
  return texts;
}

std::optional<Policy::FileRoot> read_root(const Place& place, ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  const std::optional<std::string> path = reader.require_text("path");
  const std::optional<Place> access = reader.find("access");
  reader.finish(Unknown::Error);
  if (!path) return std::nullopt;
  Policy::FileRoot root{.path = *path};
  if (!access || access->node->text == "read") return root;
  root.access = Policy::FileRoot::Access::ReadWrite;
  if (access->node->text != "readWrite") {
    context.diagnostics.error(
        access->spot(), ErrorCode::ConfigSchemaInvalid,
        "`access` must be `read` or `readWrite`, not " + in_backticks(access->node->text));
  }
  return root;
}

void read_tool_limits(const Place& place, Policy& policy, ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  if (const std::optional<std::size_t> timeout = reader.positive("timeoutMs")) {
    policy.tool_timeout = std::chrono::milliseconds(*timeout);
  }
  policy.max_concurrent = reader.positive("maxConcurrent");
  policy.max_result_bytes = reader.positive("maxResultBytes");
  policy.allow_registry_bypass = reader.flag("allowRegistryBypass");
  reader.finish(Unknown::Error);
}

// A pattern stays beneath the bundle's root, where it is matched.
bool valid_pattern(std::string_view text) {
  const std::string parts = "/" + std::string(text) + "/";
  return !text.empty() && text.front() != '/' && text.find('\0') == std::string_view::npos &&
         parts.find("/../") == std::string::npos;
}

}  // namespace

ChangesetPolicy read_changesets(const Place& place, ReadContext& context) {
  ChangesetPolicy changesets;
  MappingReader reader(place, context.diagnostics);
  changesets.enabled = reader.flag("enabled").value_or(true);
  // A name with nothing behind it is an empty list: who has begun one does not mean every file.
  if (place.node->find("allowed") != nullptr) changesets.allowed_files.emplace();
  if (const std::optional<Place> allowed = reader.find("allowed")) {
    MappingReader inner(*allowed, context.diagnostics);
    changesets.allowed_files =
        read_checked(inner, "files", valid_pattern,
                     "Write it relative to the bundle's root, e.g. `prompts/**`.", context);
    inner.finish(Unknown::Error);
  }
  // Of the first dialect; a change always becomes active between two steps.
  reader.allow({"applyAt", "emitRevisionChangedEvent"});
  reader.finish(Unknown::Error);
  return changesets;
}

Policy read_grants(MappingReader& policy, ReadContext& context) {
  Policy grants;
  if (const std::optional<Place> http = policy.find("http")) {
    MappingReader reader(*http, context.diagnostics);
    grants.http_allow =
        read_checked(reader, "allow", valid_host,
                     "Write `host` or `host:port`, without a scheme or a path.", context);
    reader.finish(Unknown::Error);
  }
  if (const std::optional<Place> files = policy.find("files")) {
    MappingReader reader(*files, context.diagnostics);
    for (const Place& item : reader.items("roots")) {
      if (std::optional<Policy::FileRoot> root = read_root(item, context)) {
        grants.file_roots.push_back(std::move(*root));
      }
    }
    reader.finish(Unknown::Error);
  }
  if (const std::optional<Place> env = policy.find("env")) {
    MappingReader reader(*env, context.diagnostics);
    grants.env_pass = read_checked(reader, "pass", valid_variable,
                                   "Write the variable's name: letters, digits and `_`.", context);
    reader.finish(Unknown::Error);
  }
  if (const std::optional<Place> tools = policy.find("tools")) {
    read_tool_limits(*tools, grants, context);
  }
  if (const std::optional<Place> changesets = policy.find("changesets")) {
    grants.changesets = read_changesets(*changesets, context);
  }
  return grants;
}

}  // namespace goondan
