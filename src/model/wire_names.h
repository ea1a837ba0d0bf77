// Names and ids in the form that providers accept, and the way back.
//
// Used at the provider's edge only: everything else knows the original names (NAME-3). Names of the
// catalog are mapped as `gdn tools --format` shows them; names that only the history has (a tool
// that is gone, or that a model made up) become `prefix_hash8` where a provider would refuse them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <goondan/catalog.h>

#include "model/message.h"
#include "tool/provider_names.h"

namespace goondan {

// OpenAI refuses longer ids of calls.
inline constexpr std::size_t kMaxWireId = 40;

// `text` as a provider takes it, of `[A-Za-z0-9_-]` and at most `max` characters: as it is, or a
// prefix of it, `_`, and eight digits of its hash. `salt` makes another one of the same text.
std::string wire_form(std::string_view text, std::size_t max, int salt = 0);

// A two-way table for one request. Immutable, so thread-safe.
class WireNames {
 public:
  WireNames(const ToolCatalog& catalog, std::span<const Message> history);

  // `name` must be one of the catalog or the history.
  [[nodiscard]] const std::string& to_wire(const std::string& name) const;

  // Names that are not in the table come back as they are, to be refused by the catalog check under
  // the name that the model used.
  [[nodiscard]] std::string from_wire(const std::string& wire) const;

  // Whether a tool of the catalog has this name on the wire.
  [[nodiscard]] bool offers(const std::string& wire) const { return offered_.contains(wire); }

 private:
  void add(const std::string& name);

  ProviderNames catalog_;
  std::unordered_set<std::string> offered_;
  std::unordered_map<std::string, std::string> outward_;
  std::unordered_map<std::string, std::string> inward_;
};

// Gives each call of one request an id of its own that the provider accepts.
class WireIds {
 public:
  std::string add(const std::string& id);

 private:
  std::unordered_set<std::string> used_;
};

}  // namespace goondan
