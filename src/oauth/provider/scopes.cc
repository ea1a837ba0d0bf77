#include "oauth/provider/scopes.h"

#include <algorithm>
#include <set>

namespace goondan::oauth {
namespace {

void add_scope_parts(std::string_view text, char separator, std::set<std::string_view>& parts) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.insert(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string joined_scopes(const std::vector<std::string>& scopes, char separator) {
  std::string text;
  for (const std::string& scope : scopes) {
    if (!text.empty()) text += separator;
    text += scope;
  }
  return text;
}

std::vector<std::string> granted_scopes(std::string_view granted,
                                        const std::vector<std::string>& asked) {
  std::set<std::string_view> words;
  add_scope_parts(granted, ' ', words);
  std::set<std::string_view> parts = words;  // a scope may hold a comma itself
  for (const std::string_view word : words) {
    add_scope_parts(word, ',', parts);
  }
  std::vector<std::string> kept;
  for (const std::string& scope : asked) {
    if (parts.contains(scope)) kept.push_back(scope);
  }
  return kept;
}

}  // namespace goondan::oauth
