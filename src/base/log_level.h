// The words for the levels of a log. Pure functions.
#pragma once

#include <array>
#include <string_view>

#include <goondan/tool_context.h>

namespace goondan {

constexpr std::string_view level_name(LogLevel level) {
  constexpr std::array<std::string_view, 4> kNames{"debug", "info", "warn", "error"};
  const auto number = static_cast<std::size_t>(level);
  return number < kNames.size() ? kNames[number] : "info";
}

// The level with this name; `Info` for anything else.
constexpr LogLevel level_named(std::string_view name) {
  for (const LogLevel level : {LogLevel::Debug, LogLevel::Warn, LogLevel::Error}) {
    if (level_name(level) == name) return level;
  }
  return LogLevel::Info;
}

}  // namespace goondan
