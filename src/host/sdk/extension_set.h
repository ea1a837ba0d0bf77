// All extensions that one plugin is: several names, in one process also several agents, may use one
// library.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "host/sdk/extension_core.h"

namespace goondan::plugin {

// Thread-safe. Never destroyed.
class ExtensionSet {
 public:
  explicit ExtensionSet(Setup setup) : setup_(std::move(setup)) {}

  // Makes the one that the call `register` asks for, and runs its setup.
  Result<Json> add(JsonObject& params, const gdn_call& call);
  // The one that `params.extension` names; null if there is none.
  ExtensionCore* find(gdn_host* life, const JsonObject& params) const;
  // Brings an event to all that have the same runtime.
  void deliver(gdn_host* life, std::string_view event, const Json& payload) const;

 private:
  using Key = std::pair<gdn_host*, std::string>;

  const Setup setup_;
  mutable std::mutex mutex_;
  std::deque<std::unique_ptr<ExtensionCore>> all_;  // also those that failed or were replaced
  std::map<Key, ExtensionCore*> current_;
};

// Takes the object behind `key`; an empty one if there is none.
JsonObject object_at(JsonObject& params, std::string_view key);

}  // namespace goondan::plugin
