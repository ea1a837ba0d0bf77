// What has been read from a bundle's files so far, each resource with its place.
#pragma once

#include <vector>

#include <goondan/resources.h>

#include "resource/bundle_files.h"
#include "resource/diagnostics.h"
#include "resource/place.h"
#include "resource/references.h"

namespace goondan {

// What a reader of one kind may use.
struct ReadContext {
  Diagnostics& diagnostics;
  const BundleFiles& files;
  std::vector<Reference>& references;
};

template <class T>
struct Located {
  T resource;
  Place root;  // its document
};

// Complete only if no error was reported: a resource with an error is here too, as far as it
// could be read, so that the others can be checked against it.
struct Reading {
  std::vector<Located<PackageResource>> packages;
  std::vector<Located<ModelResource>> models;
  std::vector<Located<AgentResource>> agents;
  std::vector<Located<SwarmResource>> swarms;
  std::vector<Located<ToolResource>> tools;
  std::vector<Located<ExtensionResource>> extensions;
  std::vector<Located<ConnectorResource>> connectors;
  std::vector<Located<ConnectionResource>> connections;
  std::vector<Located<OAuthAppResource>> oauth_apps;
  std::vector<Reference> references;
  Declarations declarations;
};

}  // namespace goondan
