#include "net/url_encoding.h"

#include <algorithm>
#include <vector>

namespace goondan::net {
namespace {

// Beyond control characters, the space and what is not ASCII.
std::string_view also_encoded(UrlPart part) {
  switch (part) {
    case UrlPart::Path:
      return "\"#<>?^`{}";
    case UrlPart::Query:
      return "\"#<>'";
    case UrlPart::Fragment:
      return "\"<>`";
  }
  return {};
}

std::string dots_decoded(std::string_view segment) {
  std::string text(segment);
  std::ranges::transform(text, text.begin(), lower_ascii);
  for (std::size_t at = text.find("%2e"); at != std::string::npos; at = text.find("%2e", at))
    text.replace(at, 3, ".");
  return text;
}

}  // namespace

std::string percent_encoded(std::string_view text, UrlPart part) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const std::string_view also = also_encoded(part);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && also.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    out += '%';
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xfU];
  }
  return out;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool encoded = text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
                         hex_value(text[i + 2]) >= 0;
    if (!encoded) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
    i += 2;
  }
  return out;
}

std::string without_dot_segments(std::string_view path) {
  std::vector<std::string_view> kept;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    const std::string dots = dots_decoded(segment);
    const bool last = end == path.size();
    if (dots == ".." && !kept.empty()) kept.pop_back();
    if (dots != "." && dots != "..") {
      kept.push_back(segment);
    } else if (last) {
      kept.push_back({});  // `/a/..` is the folder `/`, `/a/.` the folder `/a/`
    }
    begin = end + 1;
  }
  std::string out;
  for (const std::string_view segment : kept)
    out.append("/").append(segment);
  return out.empty() ? "/" : out;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace goondan::net
