#include "base/secret_forms.h"

#include <array>

#include "base/base64.h"
#include "base/redactor.h"
#include "base/utf8.h"

namespace goondan {
namespace {

enum class Digits { Lower, Upper };

constexpr std::array kBothDigits{Digits::Lower, Digits::Upper};

void append_hex(std::string& out, unsigned char byte, Digits digits) {
  const std::string_view hex = digits == Digits::Lower ? "0123456789abcdef" : "0123456789ABCDEF";
  out += hex[byte >> 4];
  out += hex[byte & 0xF];
}

std::string hex_form(std::string_view secret, Digits digits) {
  std::string out;
  for (const char c : secret)
    append_hex(out, static_cast<unsigned char>(c), digits);
  return out;
}

// The characters that `secret` alone decides when `lead` bytes precede it in its group of three.
std::string base64_form(std::string_view secret, std::size_t lead, Base64Alphabet alphabet) {
  const std::string text = base64_encode(std::string(lead, '\0').append(secret), alphabet);
  const std::size_t first = (8 * lead + 5) / 6;
  const std::size_t last = 8 * (lead + secret.size()) / 6;
  return text.substr(first, last - first);
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// What each way of percent-encoding leaves as it is, besides letters and digits.
constexpr std::array<std::string_view, 5> kKeptAsIs{
    "-._~",                  // RFC 3986
    "-_.!~*'()",             // encodeURIComponent
    "-_.*+",                 // forms, with `+` for a space
    "-_.~!$&'()*+,;=:@/?#",  // only what may stand nowhere in a URL
    "",                      // letters and digits only
};

std::string percent_form(std::string_view secret, std::string_view kept, Digits digits) {
  const bool form = kept.ends_with('+');
  std::string out;
  for (const char c : secret) {
    if (form && c == ' ') {
      out += '+';
    } else if (is_alphanumeric(c) || (kept.find(c) != kept.npos && !(form && c == '+'))) {
      out += c;
    } else {
      append_hex(out += '%', static_cast<unsigned char>(c), digits);
    }
  }
  return out;
}

std::string every_byte_percent_form(std::string_view secret, Digits digits) {
  std::string out;
  for (const char c : secret)
    append_hex(out += '%', static_cast<unsigned char>(c), digits);
  return out;
}

void append_utf16(std::string& out, char32_t unit, Digits digits) {
  out += "\\u";
  append_hex(out, static_cast<unsigned char>(unit >> 8), digits);
  append_hex(out, static_cast<unsigned char>(unit & 0xFF), digits);
}

char32_t decode(std::string_view sequence) {
  auto value = static_cast<char32_t>(static_cast<unsigned char>(sequence[0]));
  if (sequence.size() > 1) value &= 0xFFU >> (sequence.size() + 1);
  for (const char c : sequence.substr(1))
    value = value << 6 | (static_cast<unsigned char>(c) & 0x3F);
  return value;
}

// `text` with everything beyond ASCII as `\uXXXX`, as writers do that want plain ASCII.
std::string ascii_only(std::string_view text, Digits digits) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8::sequence_length(text));
    const char32_t c = decode(text.substr(0, length));
    if (length == 1) {
      out += text[0];
    } else if (c < 0x10000) {
      append_utf16(out, c, digits);
    } else {
      append_utf16(out, 0xD800 + ((c - 0x10000) >> 10), digits);
      append_utf16(out, 0xDC00 + ((c - 0x10000) & 0x3FF), digits);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string with_escaped_slashes(std::string_view text) {
  std::string out;
  for (const char c : text)
    (c == '/' ? out += '\\' : out) += c;
  return out;
}

void add_json_forms(std::vector<std::string>& forms, std::string_view secret) {
  std::string quoted;
  append_quoted(quoted, secret);
  const std::string plain = quoted.substr(1, quoted.size() - 2);
  for (const std::string& text : {plain, with_escaped_slashes(plain)}) {
    forms.push_back(text);
    for (const Digits digits : kBothDigits)
      forms.push_back(ascii_only(text, digits));
  }
}

void add_piece(std::vector<std::string>& forms, std::string_view secret) {
  forms.emplace_back(secret);
  for (std::size_t lead = 0; lead < 3; ++lead) {
    forms.push_back(base64_form(secret, lead, Base64Alphabet::Standard));
    forms.push_back(base64_form(secret, lead, Base64Alphabet::Url));
  }
  for (const Digits digits : kBothDigits) {
    forms.push_back(hex_form(secret, digits));
    forms.push_back(every_byte_percent_form(secret, digits));
    for (const std::string_view kept : kKeptAsIs)
      forms.push_back(percent_form(secret, kept, digits));
  }
  add_json_forms(forms, secret);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

void add_in_pieces(std::vector<std::string>& forms, std::string_view secret) {
  while (secret.size() >= kMinSecretBytes) {
    // The last piece must not become too short to be masked.
    const bool last = secret.size() <= kMaxSecretPiece + kMinSecretBytes;
    const std::size_t size = last ? secret.size() : kMaxSecretPiece;
    add_piece(forms, secret.substr(0, size));
    secret.remove_prefix(size);
  }
}

}  // namespace

std::vector<std::string> secret_forms(std::string_view secret) {
  std::vector<std::string> forms;
  add_in_pieces(forms, secret);
  if (trimmed(secret).size() < secret.size()) add_in_pieces(forms, trimmed(secret));
  std::ranges::sort(forms);
  const auto repeated = std::ranges::unique(forms);
  forms.erase(repeated.begin(), repeated.end());
  return forms;
}

}  // namespace goondan
