#include "policy/environment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/redactor.h"
#include "base/secret_patterns.h"

namespace goondan {
namespace {

constexpr std::array<std::string_view, 10> kWithin{
    "TOKEN",  "SECRET",  "PASSWORD",   "PASSWD",     "PASSPHRASE",
    "APIKEY", "API_KEY", "ACCESS_KEY", "CREDENTIAL", "PRIVATE_KEY"};
constexpr std::array<std::string_view, 6> kAtEnd{"_KEY", "_PAT", "_PWD", "_PASS", "_AUTH", "_DSN"};

constexpr std::array<std::string_view, 9> kPlaces{"_FILE", "_DIR", "_PATH", "_DIRECTORY", "_STORE",
                                                  "_SOCK", "_URL", "_URI",  "_ENDPOINT"};

std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

bool secret_name(std::string_view name) {
  const std::string text = upper(name);
  const auto within = [&text](std::string_view part) { return text.contains(part); };
  const auto at_end = [&text](std::string_view part) {
    return text.ends_with(part) && text.size() > part.size();
  };
  return std::ranges::any_of(kWithin, within) || std::ranges::any_of(kAtEnd, at_end);
}

// The password in `scheme://user:password@host`.
std::string_view url_password(std::string_view value) {
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos) return {};
  const std::string_view rest = value.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return {};
  const std::string_view user_info = authority.substr(0, at);
  const std::size_t colon = user_info.find(':');
  return colon == std::string_view::npos ? std::string_view() : user_info.substr(colon + 1);
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    const bool encoded = text[i] == '%' && i + 2 < text.size() &&
                         std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    out += encoded ? static_cast<char>(byte) : text[i];
    if (encoded) i += 2;
  }
  return out;
}

// Whether the variable says where something is, and not what.
bool names_place(std::string_view name) {
  const std::string text = upper(name);
  return std::ranges::any_of(kPlaces, [&](std::string_view end) { return text.ends_with(end); });
}

struct Kinds {
  bool lower = false;
  bool upper = false;
  bool digit = false;
  bool other = false;

  explicit Kinds(std::string_view text) {
    for (const char c : text) {
      const bool small = c >= 'a' && c <= 'z';
      const bool large = c >= 'A' && c <= 'Z';
      const bool number = c >= '0' && c <= '9';
      lower |= small;
      upper |= large;
      digit |= number;
      other |= !small && !large && !number;
    }
  }

  [[nodiscard]] int count() const { return int{lower} + int{upper} + int{digit} + int{other}; }
};

// Keys in base64 may begin with a slash, too; names of files are not as mixed, or are shorter.
bool is_path(std::string_view text) {
  constexpr std::size_t kLongestMixed = 16;
  if (!text.starts_with('/') && !text.starts_with("~/")) return false;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('/'));
    const Kinds kinds(part);
    if (part.size() > kLongestMixed && kinds.lower && kinds.upper && kinds.digit) return false;
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return true;
}

}  // namespace

bool looks_secret(std::string_view name, std::string_view value) {
  return secret_name(name) || !url_password(value).empty();
}

bool worth_masking(std::string_view secret) {
  constexpr std::size_t kAnyKind = 16;
  if (secret.size() < kMinSecretBytes || is_path(secret) || is_placeholder(secret)) return false;
  return secret.size() >= kAnyKind || Kinds(secret).count() >= 2;
}

std::vector<std::string> secrets_in(std::string_view name, std::string_view value) {
  std::vector<std::string> secrets;
  const auto add = [&secrets](std::string_view secret) {
    if (worth_masking(secret)) secrets.emplace_back(secret);
  };
  const std::string_view password = url_password(value);
  if (!password.empty() || (secret_name(name) && !names_place(name))) add(value);
  add(password);
  const std::string decoded = percent_decoded(password);
  if (decoded != password) add(decoded);
  return secrets;
}

std::vector<std::string> without_secrets(std::span<const std::string> entries,
                                         std::span<const std::string> pass) {
  std::vector<std::string> kept;
  for (const std::string& entry : entries) {
    const std::string_view text = entry;
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = text.substr(std::min(equals + 1, text.size()));
    if (!looks_secret(name, value) || std::ranges::find(pass, name) != pass.end())
      kept.push_back(entry);
  }
  return kept;
}

}  // namespace goondan
