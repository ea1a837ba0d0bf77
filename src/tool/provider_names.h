// Names as model providers accept them, and the way back.
//
// Providers take `[A-Za-z0-9_-]`, at most 64 characters. Most tool names are that already and stay
// as they are; dotted names of the first dialect and long ones are mapped at the provider's edge
// only, so that registry, catalog, traces and results always show the original.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include <goondan/catalog.h>

namespace goondan {

inline constexpr std::size_t kMaxProviderName = 64;

bool provider_accepts(std::string_view name);

// A two-way table for one catalog. A value; the same catalog always gives the same table.
class ProviderNames {
 public:
  explicit ProviderNames(const ToolCatalog& catalog);

  // The provider's name of a tool of the catalog; other names come back as they are.
  [[nodiscard]] const std::string& to_provider(const std::string& name) const;

  // The tool behind a provider's name; other names come back as they are, to be refused by the
  // catalog check under the name the model used.
  [[nodiscard]] const std::string& from_provider(const std::string& name) const;

 private:
  std::unordered_map<std::string, std::string> outward_;
  std::unordered_map<std::string, std::string> inward_;
};

}  // namespace goondan
