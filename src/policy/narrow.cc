#include "policy/narrow.h"

#include <algorithm>
#include <filesystem>

namespace goondan {
namespace {

using Root = Policy::FileRoot;

struct Host {
  std::string name;  // lower case
  std::string port;  // empty: the ports of http and https
};

Host read_host(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  const std::size_t colon = bracket == text.npos ? text.npos : text.find(':', bracket);
  if (colon == text.npos) return {.name = std::move(text), .port = {}};
  return {.name = text.substr(0, colon), .port = text.substr(colon + 1)};
}

// Whether whoever may reach `outer` may reach `inner`.
bool covers(const Host& outer, const Host& inner) {
  if (outer.name != inner.name) return false;
  if (outer.port == inner.port) return true;
  return outer.port.empty() && (inner.port == "80" || inner.port == "443");
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

std::vector<std::string> common_hosts(const std::vector<std::string>& swarm,
                                      const std::vector<std::string>& agent) {
  std::vector<std::string> common;
  for (const std::string& wanted : agent) {
    for (const std::string& allowed : swarm) {
      if (covers(read_host(allowed), read_host(wanted))) {
        add_once(common, wanted);
      } else if (covers(read_host(wanted), read_host(allowed))) {
        add_once(common, allowed);
      }
    }
  }
  return common;
}

std::filesystem::path plain(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  return normal.has_filename() || normal == normal.root_path() ? normal : normal.parent_path();
}

bool lies_in(const std::filesystem::path& outer, const std::filesystem::path& inner) {
  const auto [end, ignored] = std::ranges::mismatch(outer, inner);
  return end == outer.end();
}

Root::Access lesser(Root::Access one, Root::Access other) {
  const bool write = one == Root::Access::ReadWrite && other == Root::Access::ReadWrite;
  return write ? Root::Access::ReadWrite : Root::Access::Read;
}

// What `roots` say about `path`: the deepest of them that it lies in, and of several such the
// least.
std::optional<Root::Access> access_in(const std::vector<Root>& roots,
                                      const std::filesystem::path& path) {
  std::filesystem::path nearest;
  std::optional<Root::Access> access;
  for (const Root& root : roots) {
    const std::filesystem::path outer = plain(root.path);
    if (!lies_in(outer, path)) continue;
    if (access && outer == nearest) {
      access = lesser(*access, root.access);
    } else if (!access || lies_in(nearest, outer)) {
      nearest = outer;
      access = root.access;
    }
  }
  return access;
}

// Each folder that either names, with what both say about it.
std::vector<Root> common_roots(const std::vector<Root>& swarm, const std::vector<Root>& agent) {
  std::vector<Root> common;
  for (const std::vector<Root>* roots : {&agent, &swarm}) {
    for (const Root& root : *roots) {
      const std::filesystem::path path = plain(root.path);
      const std::optional<Root::Access> allowed = access_in(swarm, path);
      const std::optional<Root::Access> wanted = access_in(agent, path);
      if (!allowed || !wanted) continue;
      if (std::ranges::find(common, path.string(), &Root::path) != common.end()) continue;
      common.push_back({.path = path.string(), .access = lesser(*allowed, *wanted)});
    }
  }
  return common;
}

std::vector<std::string> common_names(const std::vector<std::string>& swarm,
                                      const std::vector<std::string>& agent) {
  std::vector<std::string> common;
  for (const std::string& name : agent) {
    if (std::ranges::find(swarm, name) != swarm.end()) add_once(common, name);
  }
  return common;
}

template <class Number>
std::optional<Number> smaller(const std::optional<Number>& one,
                              const std::optional<Number>& other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

}  // namespace

Policy narrowed(const Policy& swarm, const Policy& agent) {
  Policy result = swarm;
  if (!agent.http_allow.empty())
    result.http_allow = common_hosts(swarm.http_allow, agent.http_allow);
  if (!agent.file_roots.empty())
    result.file_roots = common_roots(swarm.file_roots, agent.file_roots);
  if (!agent.env_pass.empty()) result.env_pass = common_names(swarm.env_pass, agent.env_pass);
  result.tool_timeout = smaller(swarm.tool_timeout, agent.tool_timeout);
  result.max_concurrent = smaller(swarm.max_concurrent, agent.max_concurrent);
  result.max_result_bytes = smaller(swarm.max_result_bytes, agent.max_result_bytes);
  result.allow_registry_bypass =
      swarm.allow_registry_bypass.value_or(false) && agent.allow_registry_bypass.value_or(true);
  return result;
}

}  // namespace goondan
