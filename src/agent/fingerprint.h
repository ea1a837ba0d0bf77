// Telling whether a change of the bundle touches an agent.
#pragma once

#include <string>

#include <goondan/bundle.h>

namespace goondan::agent {

// Borrowed for the call.
struct FingerprintParts {
  const Bundle& bundle;
  const SwarmResource& swarm;
  const AgentResource& agent;
  const ModelResource& model;
  const std::string& prompt;  // the text, wherever it comes from
};

// 16 hex digits over all that makes the agent do what it does: its resource, its model and, of a
// scripted one, the script, its tools and extensions with the files behind their entries (of
// scripts the modules beside them, too), its prompt, the policy
// and the limits of its swarm. The same on every reading of the same files. A file that cannot be
// read counts as one without content.
std::string fingerprint(const FingerprintParts& parts);

}  // namespace goondan::agent
