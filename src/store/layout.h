// Where the state of swarms lies on disk. Functions of their arguments; nothing is created.
//
//   <state root>/workspaces/<workspace>/orchestrator.db, orchestrator.lock, orchestrator.sock,
//                                       events.jsonl
//                                       instances/<agent>/<key>/state.db, lock, workspace/
//   <state root>/mcp-pins.json
//   <state root>/oauth/
//   <state root>/worktrees/<workspace>/changesets/
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace goondan::store {

// `given` if it is not empty, else `$GOONDAN_STATE_ROOT`, else `~/.goondan`; absolute.
std::filesystem::path state_root(std::string_view given = {});

// The folder name of a swarm: its `instanceKey` where one is set (it is the swarm's name if not),
// else the swarm's name and eight hex digits of the bundle's folder, so that two bundles with a
// swarm `default` do not share state. Lower case, letters, digits, `.`, `_`, `-`, at most 128
// characters.
std::string workspace_name(std::string_view swarm, std::string_view instance_key,
                           const std::filesystem::path& bundle_root);

std::filesystem::path workspace_folder(const std::filesystem::path& root,
                                       std::string_view workspace);

// Of one agent instance. Characters that do not belong in a file name become `-`, and a name that
// was changed gets a hash, so that two keys never share a folder.
std::filesystem::path instance_folder(const std::filesystem::path& workspace_folder,
                                      std::string_view agent, std::string_view instance_key);

// The definitions of MCP tools that are believed, of all bundles.
std::filesystem::path mcp_pins_file(const std::filesystem::path& root);

// Tokens and the consents that wait, of all swarms, encrypted.
std::filesystem::path oauth_folder(const std::filesystem::path& root);

// Where a swarm's open changesets lie.
std::filesystem::path changeset_folder(const std::filesystem::path& root,
                                       std::string_view workspace);

}  // namespace goondan::store
