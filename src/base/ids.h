// Identifiers and times as they are written on disk and on the wire.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace goondan {

// `bytes` random bytes from the system as lower-case hex, e.g. a trace id with 16 of them.
std::string random_hex(std::size_t bytes);

// `<prefix><24 hex digits>`: unique for all practical purposes, e.g. `msg_` + 24 digits.
std::string make_id(std::string_view prefix);

// `2026-01-15T10:00:00.000Z`
std::string iso_time(std::chrono::system_clock::time_point time);
std::string iso_now();

}  // namespace goondan
