// One header field of a request or a response, and looking for them. Values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace goondan::net {

struct Header {
  std::string name;
  std::string value;

  friend bool operator==(const Header&, const Header&) = default;
};

// Whether `text` is a token of RFC 9110: what a method or the name of a header may be made of.
[[nodiscard]] bool is_token(std::string_view text);

// Whether `text` may be the value of a header: no control character but the tab.
[[nodiscard]] bool is_field_value(std::string_view text);

// `text` with ASCII letters made small; others stay as they are.
[[nodiscard]] std::string to_lower(std::string_view text);

// Whether both are the same but for the case of ASCII letters.
[[nodiscard]] bool same_name(std::string_view left, std::string_view right);

// `text` without the spaces and tabs at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

// The first header of this name, in any case; null if there is none.
[[nodiscard]] const Header* find_header(const std::vector<Header>& headers, std::string_view name);

// All values of the headers of this name joined with ", "; empty if there is none.
[[nodiscard]] std::string joined_values(const std::vector<Header>& headers, std::string_view name);

// Whether a comma-separated list, as in `Connection: keep-alive, close`, has `word` in it.
[[nodiscard]] bool list_has(std::string_view list, std::string_view word);

}  // namespace goondan::net
