// White space as people see it: Unicode's White_Space, and the byte order mark, which is none by
// its properties but is left behind at the beginning of texts.
#pragma once

#include <string_view>

namespace goondan::unicode {

// `text` without the white space it begins with. Ill-formed bytes are not white space.
std::string_view trim_start(std::string_view text);

// `text` without the white space it ends with.
std::string_view trim_end(std::string_view text);

}  // namespace goondan::unicode
