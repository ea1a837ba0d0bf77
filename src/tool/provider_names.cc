#include "tool/provider_names.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace goondan {
namespace {

bool accepted_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// FNV-1a: stable across runs and machines, which is all that is asked of it here.
std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

std::string hash_suffix(std::string_view name) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 stable_hash(name) & 0xFFFFFFFFU, 16)
                       .ptr;
  return "_" + std::string(digits.data(), end);
}

std::string mapped(std::string_view name) {
  std::string out(name);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return !accepted_character(c); }, '_');
  return out;
}

}  // namespace

bool provider_accepts(std::string_view name) {
  return !name.empty() && name.size() <= kMaxProviderName &&
         std::all_of(name.begin(), name.end(), accepted_character);
}

ProviderNames::ProviderNames(const ToolCatalog& catalog) {
  // Names that need no mapping come first, so that a mapped one can never take theirs.
  for (const auto& entry : catalog.entries()) {
    if (!provider_accepts(entry->name())) continue;
    outward_.emplace(entry->name(), entry->name());
    inward_.emplace(entry->name(), entry->name());
  }
  for (const auto& entry : catalog.entries()) {
    if (provider_accepts(entry->name())) continue;
    std::string name = mapped(entry->name());
    for (std::string salted = entry->name(); !provider_accepts(name) || inward_.contains(name);
         salted += '#') {
      const std::string suffix = hash_suffix(salted);
      name = mapped(entry->name()).substr(0, kMaxProviderName - suffix.size()) + suffix;
    }
    outward_.emplace(entry->name(), name);
    inward_.emplace(std::move(name), entry->name());
  }
}

const std::string& ProviderNames::to_provider(const std::string& name) const {
  const auto at = outward_.find(name);
  return at == outward_.end() ? name : at->second;
}

const std::string& ProviderNames::from_provider(const std::string& name) const {
  const auto at = inward_.find(name);
  return at == inward_.end() ? name : at->second;
}

}  // namespace goondan
