#include "oauth/callback/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/callback/server_fixture.h"

namespace goondan::oauth {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// REQ: SECURITY 4.1 callback page
TEST(CallbackServer, ShowsAPageThatTellsNothingAndRunsNothing) {
  RunningServer server;
  const std::string answer =
      ask_raw(server.port(), get_request(server.port(), "/callback?code=s3cr%65t+x&state=abc&a"));
  EXPECT_EQ(status_of(answer), "200");
  for (const std::string_view header :
       {"\r\nReferrer-Policy: no-referrer\r\n", "\r\nCache-Control: no-store\r\n",
        "\r\nContent-Security-Policy: default-src 'none'",
        "\r\nX-Content-Type-Options: nosniff\r\n", "\r\nConnection: close\r\n",
        "You can close this window"}) {
    EXPECT_THAT(answer, HasSubstr(header));
  }
  for (const std::string_view not_there : {"s3cr", "abc", "<script"})
    EXPECT_THAT(answer, Not(HasSubstr(not_there)));
  const CallbackParameters expected{{"code", "s3cret x"}, {"state", "abc"}, {"a", ""}};
  EXPECT_EQ(server.seen(), std::vector<CallbackParameters>(1, expected));
}

struct RefusedCase {
  std::string_view name;
  std::string text;  // PORT stands for the port
  std::string_view status;
};

std::string with_port(std::string text, std::uint16_t port) {
  while (true) {
    const std::size_t at = text.find("PORT");
    if (at == std::string::npos) return text;
    text.replace(at, 4, std::to_string(port));
  }
}

// REQ: SECURITY 4.3 attack 26
TEST(CallbackServer, AnswersOnlyGetOnTheExactPathForItsOwnName) {
  const std::string host = "Host: 127.0.0.1:PORT\r\n";
  const std::string many = [] {
    std::string query = "?a=1";
    for (std::size_t i = 0; i < kMaxCallbackParameters; ++i)
      query += "&a=1";
    return query;
  }();
  const std::vector<RefusedCase> cases{
      {"good", "GET /callback HTTP/1.1\r\n" + host + "\r\n", "200"},
      {"good, old version", "GET /callback HTTP/1.0\r\n" + host + "\r\n", "200"},
      {"the name of baseUrl", "GET /callback HTTP/1.1\r\nhOST:\t bot.Example \r\n\r\n", "200"},
      {"a body", "GET /callback HTTP/1.1\r\n" + host + "Content-Length: 5\r\n\r\nhello", "200"},
      {"another path", "GET / HTTP/1.1\r\n" + host + "\r\n", "404"},
      {"a longer path", "GET /callback/ HTTP/1.1\r\n" + host + "\r\n", "404"},
      {"the path in other words", "GET /c%61llback HTTP/1.1\r\n" + host + "\r\n", "404"},
      {"POST", "POST /callback HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\nhi", "405"},
      {"HEAD", "HEAD /callback HTTP/1.1\r\n" + host + "\r\n", "405"},
      {"a name of elsewhere", "GET /callback HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n", "400"},
      {"localhost", "GET /callback HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", "400"},
      {"another port", "GET /callback HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", "400"},
      {"no host", "GET /callback HTTP/1.1\r\n\r\n", "400"},
      {"two hosts", "GET /callback HTTP/1.1\r\n" + host + host + "\r\n", "400"},
      {"a whole address", "GET http://127.0.0.1:PORT/callback HTTP/1.1\r\n" + host + "\r\n", "400"},
      {"a folded line", "GET /callback HTTP/1.1\r\n" + host + " more\r\n\r\n", "400"},
      {"a bare line feed", "GET /callback HTTP/1.1\n" + host + "\r\n", "400"},
      {"a blank before the colon", "GET /callback HTTP/1.1\r\nHost : 127.0.0.1:PORT\r\n\r\n",
       "400"},
      {"no version", "GET /callback\r\n" + host + "\r\n", "400"},
      {"another version", "GET /callback HTTP/2.0\r\n" + host + "\r\n", "505"},
      {"too many parameters", "GET /callback" + many + " HTTP/1.1\r\n" + host + "\r\n", "400"},
      {"TLS", "\x16\x03\x01\x02\x01" + std::string(8, '\0') + "\r\n\r\n", "400"},
      {"too large", "GET /callback HTTP/1.1\r\n" + host + "A: " + std::string(20'000, 'a'), "431"},
  };
  RunningServer server;
  for (const RefusedCase& one : cases) {
    const std::string answer = ask_raw(server.port(), with_port(one.text, server.port()));
    EXPECT_EQ(status_of(answer), one.status) << one.name;
  }
}

TEST(CallbackServer, TakesARequestInPieces) {
  RunningServer server;
  const RawBrowser browser(server.port());
  for (const char c : get_request(server.port(), "/callback?state=1"))
    ASSERT_TRUE(browser.send({&c, 1}));
  EXPECT_EQ(status_of(browser.read_all()), "200");
}

// REQ: SECURITY 4.3 attack 26
TEST(CallbackServer, SilentConnectionsGiveWayToOneThatAsks) {
  RunningServer server;
  std::vector<RawBrowser> silent;
  for (int i = 0; i < 100; ++i) {
    silent.emplace_back(server.port());
    ASSERT_TRUE(silent.back().connected());
    if (i % 2 == 0) silent.back().send("GET /callb");
  }
  const RawBrowser good(server.port());
  ASSERT_TRUE(good.send(get_request(server.port(), "/callback?state=1")));
  for (int i = 0; i < 100; ++i)
    silent.emplace_back(server.port());
  EXPECT_EQ(status_of(good.read_all()), "200");
  // One that waited in silence and asks late is served too.
  const RawBrowser late(server.port());
  ASSERT_TRUE(late.send(get_request(server.port(), "/callback?state=2")));
  EXPECT_EQ(status_of(late.read_all()), "200");
}

// REQ: SECURITY 4.3 attack 26
TEST(CallbackServer, TenThousandConnectionsLeaveItUnharmed) {
  RunningServer server;
  for (int round = 0; round < 50; ++round) {
    std::vector<RawBrowser> many;
    for (int i = 0; i < 200; ++i) {
      many.emplace_back(server.port());
      ASSERT_TRUE(many.back().connected());
      if (i % 4 == 0) many.back().send("GET / HTTP/1.1\r\n\r\n");
      if (i % 4 == 1) many.back().send("\r\n\r\n");
    }
  }
  EXPECT_EQ(status_of(ask_raw(server.port(), get_request(server.port(), "/callback"))), "200");
}

TEST(CallbackServer, ListensWhereItIsToldAndNowhereElse) {
  LoopbackSocket taken = listen_on_loopback(0).value();
  const std::uint16_t port = taken.port;
  EXPECT_EQ(listen_on_loopback(port).error().code, ErrorCode::AlreadyRunning);
  CallbackServer server([](auto, auto) {});
  server.set_places({{.port = port, .path = "/a"}});
  EXPECT_FALSE(server.listens_on(port));
  taken.fd.reset();
  const os::UniqueFd wake(::eventfd(0, EFD_CLOEXEC));
  const Deadline limit = Clock::now() + std::chrono::seconds(60);
  while (!server.listens_on(port) && Clock::now() < limit)
    server.step(Clock::now() + kPortRetry, wake.get());
  EXPECT_TRUE(server.listens_on(port));
  server.set_places({});
  EXPECT_FALSE(server.listens_on(port));
}

struct PageCase {
  CallbackOutcome outcome;
  std::string_view status;
  std::string_view words;
};

TEST(CallbackPage, SaysWhatHappenedAndWhatToDo) {
  using Page = CallbackOutcome::Page;
  const std::vector<PageCase> cases{
      {{.page = Page::Connected, .app = "a<b"}, "200", "You have connected a&lt;b."},
      {{.page = Page::Refused}, "200", "You did not agree"},
      {{.page = Page::Failed, .problem = "subject_mismatch"}, "400", "as somebody else"},
      {{.page = Page::Failed, .problem = "<b>"}, "400", "could not be made"},
      {{.page = Page::Unknown}, "400", "not known"},
      {{.page = Page::Expired}, "400", "too old"},
      {{.page = Page::Used}, "400", "works only once"},
      {{.page = Page::Pending}, "503", "Reload"},
  };
  for (const PageCase& one : cases) {
    const std::string answer = outcome_answer(one.outcome);
    EXPECT_EQ(status_of(answer), one.status) << one.words;
    EXPECT_THAT(answer, HasSubstr(one.words));
    EXPECT_THAT(answer, Not(HasSubstr("<b>")));
    EXPECT_THAT(answer,
                AnyOf(HasSubstr("close this window"), HasSubstr("new one"), HasSubstr("Reload")));
  }
}

}  // namespace
}  // namespace goondan::oauth
