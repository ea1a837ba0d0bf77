// What a `Bundle` holds.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <goondan/bundle.h>

namespace goondan {

struct Bundle::Contents {
  std::filesystem::path root = {};
  std::optional<PackageResource> package = {};
  std::vector<ModelResource> models = {};
  std::vector<AgentResource> agents = {};
  std::vector<SwarmResource> swarms = {};
  std::vector<ToolResource> tools = {};
  std::vector<ExtensionResource> extensions = {};
  std::vector<ConnectorResource> connectors = {};
  std::vector<ConnectionResource> connections = {};
  std::vector<OAuthAppResource> oauth_apps = {};
};

}  // namespace goondan
