// Texts as the system's calls for starting programs want them.
#pragma once

#include <string>
#include <vector>

namespace goondan::os {

// Pointers into `texts`, a null pointer behind the last; valid as long as `texts` is unchanged.
inline std::vector<char*> exec_pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  // The calls take pointers to non-const for reasons of C; they do not write.
  for (const std::string& text : texts)
    out.push_back(
        const_cast<char*>(text.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  out.push_back(nullptr);
  return out;
}

}  // namespace goondan::os
