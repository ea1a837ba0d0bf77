// Files of environment variables that hold anything.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "resource/env_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto entries = goondan::parse_env_file(text, "f");
  if (!entries.ok()) return 0;
  for (const goondan::EnvEntry& entry : *entries) {
    // What comes of it goes into an environment as `NAME=value`.
    const bool usable = !entry.name.empty() && entry.name.find('=') == std::string::npos &&
                        entry.value.find('\0') == std::string::npos;
    if (!usable || entry.value.size() > size) std::abort();
  }
  return 0;
}
