#include "oauth/service/place.h"

#include <array>

#include "net/url.h"

namespace goondan::oauth {
namespace {

constexpr std::uint16_t kPlainHttpPort = 80;

// We listen there, if it is plain http: for https somebody stands before us.
bool is_plain_loopback(const net::Url& url) {
  return url.scheme == net::Scheme::Http && (url.host == "127.0.0.1" || url.host == "localhost");
}

bool says_port(const net::Url& url) {
  return url.port != kPlainHttpPort;
}

}  // namespace

Result<std::uint16_t> callback_port(const App& app) {
  if (app.listen_port != 0 || app.base_url.empty()) return app.listen_port;
  const net::Url base = GDN_TRY(net::Url::parse(app.base_url));
  if (base.host == "::1") {
    return Error{.code = ErrorCode::Config,
                 .message = "OAuthApp/" + app.name + ": callbacks cannot arrive at " + app.base_url,
                 .suggestion = "Write http://127.0.0.1 with the port."};
  }
  return is_plain_loopback(base) && says_port(base) ? base.port : std::uint16_t{0};
}

std::string redirect_uri_at(const App& app, std::uint16_t port) {
  const std::string at = ":" + std::to_string(port);
  if (app.base_url.empty()) return "http://127.0.0.1" + at + app.callback_path;
  const Result<net::Url> base = net::Url::parse(app.base_url);
  // A loopback address without a port means any: RFC 8252 §7.3.
  if (base.ok() && is_plain_loopback(*base) && !says_port(*base) && port != kPlainHttpPort) {
    return "http://" + base->host + at + (base->path == "/" ? "" : base->path) + app.callback_path;
  }
  return app.base_url + app.callback_path;
}

std::optional<CallbackPlace> callback_place(std::string_view redirect_uri, const App* app) {
  const Result<net::Url> url = net::Url::parse(redirect_uri);
  if (!url.ok()) return std::nullopt;
  const std::uint16_t own = app == nullptr ? std::uint16_t{0} : app->listen_port;
  const std::uint16_t port = own != 0 ? own : is_plain_loopback(*url) ? url->port : 0;
  if (port == 0) return std::nullopt;
  return CallbackPlace{.port = port, .path = url->path, .host = url->host_header()};
}

}  // namespace goondan::oauth
