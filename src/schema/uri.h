// The parts of RFC 3986 and RFC 6901 that `$id` and `$ref` need. Texts in, texts out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace goondan::schema {

struct UriAndFragment {
  std::string_view uri;
  std::string_view fragment;  // without the `#`
};

UriAndFragment split_fragment(std::string_view reference);

// Whether `uri` begins with a scheme, so that it means the same everywhere.
bool is_absolute_uri(std::string_view uri);

// What `reference` (without a fragment) means in a document at `base`. An empty base leaves it as
// it is.
std::string resolve_uri(std::string_view base, std::string_view reference);

// `%41` to `A`; nothing if an escape is broken.
std::optional<std::string> percent_decoded(std::string_view text);

// `/a~1b/0` to {"a/b", "0"}; nothing if it does not begin with `/` or an escape is broken.
std::optional<std::vector<std::string>> parse_pointer(std::string_view pointer);

// Appends `/name` to a JSON pointer, escaped.
void append_pointer_step(std::string& pointer, std::string_view name);

}  // namespace goondan::schema
