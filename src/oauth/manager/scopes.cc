#include "oauth/manager/scopes.h"

#include <algorithm>

#include "oauth/manager.h"

namespace goondan::oauth {
namespace {

constexpr std::string_view kOfflineAccess = "offline_access";

bool has_scope(const Scopes& scopes, std::string_view scope) {
  return std::ranges::find(scopes, scope) != scopes.end();
}

}  // namespace

bool Manager::scopes_allowed(const Scopes& requested, const Scopes& allowed) {
  return std::ranges::all_of(
      requested, [&allowed](const std::string& scope) { return has_scope(allowed, scope); });
}

bool scopes_cover(const Scopes& granted, const Scopes& requested) {
  return std::ranges::all_of(requested, [&granted](const std::string& scope) {
    return scope == kOfflineAccess || has_scope(granted, scope);
  });
}

Scopes scopes_in_both(const Scopes& answered, const Scopes& requested) {
  Scopes both;
  for (const std::string& scope : answered) {
    if (has_scope(requested, scope) && !has_scope(both, scope)) both.push_back(scope);
  }
  return both;
}

Scopes scopes_of_both(const Scopes& requested, const Scopes& others) {
  Scopes all;
  for (const Scopes* scopes : {&requested, &others}) {
    for (const std::string& scope : *scopes) {
      if (!has_scope(all, scope)) all.push_back(scope);
    }
  }
  return all;
}

bool same_scopes(const Scopes& one, const Scopes& other) {
  return Manager::scopes_allowed(one, other) && Manager::scopes_allowed(other, one);
}

}  // namespace goondan::oauth
