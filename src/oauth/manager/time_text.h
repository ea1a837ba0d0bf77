// Times as records hold them: whole seconds in UTC, `2026-02-01T10:00:00Z`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace goondan::oauth {

std::string time_text(std::int64_t seconds);
// Nothing if `text` is no such time.
std::optional<std::int64_t> time_from(std::string_view text);

}  // namespace goondan::oauth
