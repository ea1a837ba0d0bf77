// "Did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace goondan {

// The candidate most like `word` (edit distance, case ignored first); empty if none is close
// enough to be a likely slip.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace goondan
