#include "policy/environment.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace goondan {
namespace {

constexpr std::array<std::string_view, 10> kWithin{
    "TOKEN",  "SECRET",  "PASSWORD",   "PASSWD",     "PASSPHRASE",
    "APIKEY", "API_KEY", "ACCESS_KEY", "CREDENTIAL", "PRIVATE_KEY"};
constexpr std::array<std::string_view, 6> kAtEnd{"_KEY", "_PAT", "_PWD", "_PASS", "_AUTH", "_DSN"};

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

// `scheme://user:password@host`
bool url_with_password(std::string_view value) {
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view rest = value.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::size_t colon = authority.substr(0, at).find(':');
  return colon != std::string_view::npos && colon + 1 < at;
}

}  // namespace

bool looks_secret(std::string_view name, std::string_view value) {
  return secret_name(name) || url_with_password(value);
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
