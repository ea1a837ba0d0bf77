#include "oauth/manager/time_text.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace goondan::oauth {
namespace {

// The end of the year 9999: a later one has no text.
constexpr std::int64_t kLastSecond = 253402300799;
constexpr const char* kTimeFormat = "%Y-%m-%dT%H:%M:%SZ";

}  // namespace

std::string time_text(std::int64_t seconds) {
  const std::time_t stamp = std::clamp<std::int64_t>(seconds, 0, kLastSecond);
  std::tm parts{};
  ::gmtime_r(&stamp, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), kTimeFormat, &parts)};
}

std::optional<std::int64_t> time_from(std::string_view text) {
  std::tm parts{};
  const std::string terminated(text);
  const char* end = ::strptime(terminated.c_str(), kTimeFormat, &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return ::timegm(&parts);
}

}  // namespace goondan::oauth
