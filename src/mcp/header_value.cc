#include "mcp/header_value.h"

#include <algorithm>

#include "base/base64.h"

namespace goondan::mcp {
namespace {

constexpr std::string_view kBegin = "=?base64?";
constexpr std::string_view kEnd = "?=";

bool is_plain(std::string_view text) {
  if (text.starts_with(' ') || text.ends_with(' ')) return false;
  if (text.starts_with(kBegin) && text.ends_with(kEnd)) return false;
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

std::string header_value(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  return std::string(kBegin) + base64_encode(text) + std::string(kEnd);
}

}  // namespace goondan::mcp
