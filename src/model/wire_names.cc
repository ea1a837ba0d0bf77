#include "model/wire_names.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace goondan {
namespace {

constexpr std::size_t kHashDigits = 8;

bool accepted_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool accepted(std::string_view text, std::size_t max) {
  return !text.empty() && text.size() <= max && std::ranges::all_of(text, accepted_character);
}

// FNV-1a: the same in every process and on every machine, which is all that is asked of it.
std::uint32_t stable_hash(std::string_view text, int salt) {
  std::uint64_t hash = 0xcbf29ce484222325U + static_cast<std::uint64_t>(salt);
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

std::string wire_form(std::string_view text, std::size_t max, int salt) {
  if (salt == 0 && accepted(text, max)) return std::string(text);
  std::string form(text.substr(0, max - kHashDigits - 1));
  std::ranges::replace_if(
      form, [](char c) { return !accepted_character(c); }, '_');
  std::array<char, kHashDigits + 2> digits{};
  std::snprintf(digits.data(), digits.size(), "_%08x", stable_hash(text, salt));
  return form + digits.data();
}

WireNames::WireNames(const ToolCatalog& catalog, std::span<const Message> history)
    : catalog_(catalog) {
  for (const auto& entry : catalog.entries()) {
    const std::string& wire = catalog_.to_provider(entry->name());
    outward_.emplace(entry->name(), wire);
    inward_.emplace(wire, entry->name());
    offered_.insert(wire);
  }
  for (const Message& message : history) {
    for (const ToolCall& call : message.tool_calls()) {
      add(call.name);
    }
  }
}

// Never the name of another: a mapped name that is taken gets the next salt.
void WireNames::add(const std::string& name) {
  if (outward_.contains(name)) return;
  std::string wire = wire_form(name, kMaxProviderName);
  for (int salt = 1; inward_.contains(wire); ++salt) {
    wire = wire_form(name, kMaxProviderName, salt);
  }
  outward_.emplace(name, wire);
  inward_.emplace(std::move(wire), name);
}

const std::string& WireNames::to_wire(const std::string& name) const {
  const auto found = outward_.find(name);
  return found == outward_.end() ? name : found->second;
}

std::string WireNames::from_wire(const std::string& wire) const {
  const auto found = inward_.find(wire);
  return found == inward_.end() ? wire : found->second;
}

std::string WireIds::add(const std::string& id) {
  std::string wire = wire_form(id, kMaxWireId);
  for (int salt = 1; used_.contains(wire); ++salt) {
    wire = wire_form(id, kMaxWireId, salt);
  }
  used_.insert(wire);
  return wire;
}

}  // namespace goondan
