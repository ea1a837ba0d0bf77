// The offline text behind `gdn explain CODE`, for every code there is.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <goondan/error.h>

namespace goondan::cli {

struct Explanation {
  ErrorCode code;
  std::string_view meaning;  // what happened
  std::string_view remedy;   // what to do about it
};

std::span<const Explanation> all_explanations();

// By wire code, in any case, with or without the leading `E_`.
const Explanation* find_explanation(std::string_view code);

}  // namespace goondan::cli
