#include "builtin/http_fetch/header_secrets.h"

#include <algorithm>

#include "policy/environment.h"

namespace goondan::builtin::http_fetch {
namespace {

bool is_authorization(std::string_view name) {
  return net::same_name(name, "authorization") || net::same_name(name, "proxy-authorization");
}

// As the name of a variable: those who name headers and variables for secrets use the same words.
bool names_secret(std::string_view name) {
  std::string variable(name);
  std::ranges::replace(variable, '-', '_');
  return looks_secret(variable, "");
}

class Collector {
 public:
  void add(std::string_view value) {
    value = net::trimmed(value);
    if (secrets_.size() < kMaxHeaderSecrets && worth_masking(value)) secrets_.push_back(value);
  }

  void add_cookies(std::string_view list) {
    while (!list.empty()) {
      const std::string_view cookie = list.substr(0, list.find(';'));
      const std::size_t equals = cookie.find('=');
      add(equals == std::string_view::npos ? cookie : cookie.substr(equals + 1));
      list.remove_prefix(std::min(list.size(), cookie.size() + 1));
    }
  }

  void add_credentials(std::string_view value) {
    value = net::trimmed(value);
    const std::size_t space = value.find(' ');
    add(space == std::string_view::npos ? value : value.substr(space + 1));
  }

  std::vector<std::string_view> take() { return std::move(secrets_); }

 private:
  std::vector<std::string_view> secrets_;
};

}  // namespace

std::vector<std::string_view> header_secrets(const std::vector<net::Header>& headers) {
  Collector collector;
  for (const net::Header& header : headers) {
    if (is_authorization(header.name)) {
      collector.add_credentials(header.value);
    } else if (net::same_name(header.name, "cookie")) {
      collector.add_cookies(header.value);
    } else if (names_secret(header.name)) {
      collector.add(header.value);
    }
  }
  return collector.take();
}

}  // namespace goondan::builtin::http_fetch
