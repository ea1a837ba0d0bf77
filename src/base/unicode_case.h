// Upper and lower case by Unicode's full mappings: one letter may become several (ß, SS), and a
// capital sigma at the end of a word becomes ς. The same for every language, so i becomes I in
// Turkish text too. The tables are made by scripts/make_unicode_tables.py.
#pragma once

#include <string_view>

#include <goondan/json.h>

namespace goondan::unicode {

// `text` must be valid UTF-8; ill-formed bytes give an unspecified text.
JsonString upper_case(std::string_view text);
JsonString lower_case(std::string_view text);

}  // namespace goondan::unicode
