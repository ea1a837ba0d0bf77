#include "oauth/provider/parameters.h"

#include <algorithm>

#include "net/url_encoding.h"

namespace goondan::oauth {
namespace {

bool stays_as_it_is(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string parameter_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (stays_as_it_is(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
  }
  return encoded;
}

std::string form_encoded(const Parameters& parameters) {
  std::string form;
  for (const auto& [name, value] : parameters) {
    if (!form.empty()) form += '&';
    form += parameter_encoded(name) + '=' + parameter_encoded(value);
  }
  return form;
}

std::string parameter_name(std::string_view encoded) {
  std::string name(encoded.substr(0, encoded.find('=')));
  std::ranges::replace(name, '+', ' ');
  return net::percent_decoded(name);
}

}  // namespace goondan::oauth
