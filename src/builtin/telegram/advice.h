// What to do about an error that the Bot API reports. Part of the tool `telegram`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace goondan::builtin::telegram {

// Empty if there is nothing to add to the description.
std::string advice(std::int64_t code, std::string_view description);

}  // namespace goondan::builtin::telegram
