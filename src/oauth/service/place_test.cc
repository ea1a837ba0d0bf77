#include "oauth/service/place.h"

#include <gtest/gtest.h>

namespace goondan::oauth {
namespace {

struct PlaceCase {
  std::string base_url;
  std::uint16_t listen_port;
  std::uint16_t port;   // that is asked for
  std::string uri;      // with 4000 where any will do
  std::uint16_t place;  // 0: none is known
  std::string host;
};

TEST(CallbackPlace, IsWhereTheProviderSendsBrowsers) {
  const std::vector<PlaceCase> cases{
      {"", 0, 0, "http://127.0.0.1:4000/cb", 4000, "127.0.0.1:4000"},
      {"", 5000, 5000, "http://127.0.0.1:5000/cb", 5000, "127.0.0.1:5000"},
      {"http://127.0.0.1:6000", 0, 6000, "http://127.0.0.1:6000/cb", 6000, "127.0.0.1:6000"},
      {"http://localhost:6000", 0, 6000, "http://localhost:6000/cb", 6000, "localhost:6000"},
      {"http://127.0.0.1", 0, 0, "http://127.0.0.1:4000/cb", 4000, "127.0.0.1:4000"},
      {"http://localhost/x", 0, 0, "http://localhost:4000/x/cb", 4000, "localhost:4000"},
      {"https://bot.example", 7000, 7000, "https://bot.example/cb", 7000, "bot.example"},
      {"https://bot.example:8443/x", 7000, 7000, "https://bot.example:8443/x/cb", 7000,
       "bot.example:8443"},
      {"https://bot.example", 0, 0, "https://bot.example/cb", 0, ""},
      {"https://127.0.0.1:9000", 0, 0, "https://127.0.0.1:9000/cb", 0, ""},
  };
  for (const PlaceCase& one : cases) {
    App app;
    app.name = "a";
    app.callback_path = "/cb";
    app.base_url = one.base_url;
    app.listen_port = one.listen_port;
    const std::uint16_t port = callback_port(app).value();
    EXPECT_EQ(port, one.port) << one.base_url;
    const std::string uri = redirect_uri_at(app, port == 0 ? std::uint16_t{4000} : port);
    EXPECT_EQ(uri, one.uri);
    const std::optional<CallbackPlace> place = callback_place(uri, &app);
    EXPECT_EQ(place ? place->port : 0, one.place) << uri;
    EXPECT_EQ(place ? place->host : "", one.host) << uri;
  }
}

TEST(CallbackPlace, IsNotOnIpv6) {
  App app;
  app.name = "a";
  app.base_url = "http://[::1]:8080";
  EXPECT_EQ(callback_port(app).error().code, ErrorCode::Config);
}

}  // namespace
}  // namespace goondan::oauth
