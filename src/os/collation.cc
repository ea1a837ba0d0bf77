#include "os/collation.h"

#include <array>

namespace goondan::os {
namespace {

// After the control characters; letters stand for both cases.
constexpr std::string_view kOrder =
    "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";

constexpr std::array<std::uint8_t, 256> make_weights() {
  std::array<std::uint8_t, 256> weights{};
  for (std::size_t byte = 0; byte < weights.size(); ++byte)
    weights[byte] = static_cast<std::uint8_t>(byte);  // 128 and more: after all of ASCII
  std::uint8_t next = 1;
  for (std::size_t byte = 1; byte < 128; ++byte) {
    if (byte < ' ' || byte == 127) weights[byte] = next++;
  }
  for (const char c : kOrder) {
    weights[static_cast<std::uint8_t>(c)] = next;
    if (c >= 'a' && c <= 'z') weights[static_cast<std::uint8_t>(c - 'a' + 'A')] = next;
    ++next;
  }
  return weights;
}

constexpr std::array<std::uint8_t, 256> kWeights = make_weights();
static_assert(kWeights['z'] < 128 && kWeights['Z'] == kWeights['z']);

std::uint8_t weight(char c) {
  return kWeights[static_cast<std::uint8_t>(c)];
}

}  // namespace

bool path_less(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  std::size_t first_case = common;  // where they first differ, in the case of a letter alone
  for (std::size_t i = 0; i < common; ++i) {
    if (a[i] == b[i]) continue;
    if (weight(a[i]) != weight(b[i])) return weight(a[i]) < weight(b[i]);
    first_case = std::min(first_case, i);
  }
  if (a.size() != b.size()) return a.size() < b.size();
  return first_case < common && a[first_case] > b[first_case];
}

std::uint64_t path_head(std::string_view path) {
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < sizeof head; ++i)
    head = head << 8 | (i < path.size() ? weight(path[i]) : 0);
  return head;
}

}  // namespace goondan::os
