#include "extension/shipped/found_tools.h"

#include <algorithm>

#include "base/json_fields.h"

namespace goondan::shipped {

FoundTools::FoundTools(ExtensionState& state, std::size_t most) : state_(state), most_(most) {
  const Json kept = state.get();
  const JsonArray* names = array_field(object_or_empty(kept), "found");
  if (names == nullptr) return;
  for (const Json& name : *names) {
    if (!name.is_string()) continue;
    std::string text(name.get_string());
    if (std::ranges::find(found_, text, &Found::name) != found_.end()) continue;
    found_.push_back({.name = std::move(text), .used = ++uses_});
  }
  forget_unused();
}

Json FoundTools::to_json() const {
  JsonArray names;
  for (const Found& found : found_)
    names.emplace_back(found.name);
  return JsonObject{{"found", std::move(names)}};
}

void FoundTools::forget_unused() {
  while (found_.size() > most_)
    found_.erase(std::ranges::min_element(found_, {}, &Found::used));
}

Result<void> FoundTools::add(std::span<const std::string> names) {
  // Held while it is written, so that what is on disk is the last of several changes.
  const std::lock_guard lock(mutex_);
  bool changed = false;
  // The best hit comes first and is to be forgotten last.
  for (std::size_t i = std::min(names.size(), most_); i-- > 0;) {
    const auto known = std::ranges::find(found_, names[i], &Found::name);
    if (known != found_.end()) {
      known->used = ++uses_;
    } else {
      found_.push_back({.name = names[i], .used = ++uses_});
      changed = true;
    }
  }
  if (!changed) return {};
  forget_unused();
  ++revision_;
  return state_.set(to_json());
}

void FoundTools::touch(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(found_, name, &Found::name);
  if (known != found_.end()) known->used = ++uses_;
}

std::vector<std::string> FoundTools::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const Found& found : found_)
    names.push_back(found.name);
  return names;
}

std::uint64_t FoundTools::revision() const {
  const std::lock_guard lock(mutex_);
  return revision_;
}

}  // namespace goondan::shipped
