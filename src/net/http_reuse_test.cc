#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/connection_pool.h"
#include "net/http_client.h"
#include "net/test_server.h"

namespace goondan::net {
namespace {

TEST(HttpReuse, SendsRequestAfterRequestOverOneConnection) {
  const TestServer server(answering(ok_answer("hello")));
  HttpClient client;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(client.send(get(server.url()), server.policy())->body, "hello");
  }
  EXPECT_EQ(server.accepted(), 1);
}

// One that has what it wants waits for the rest only a little: for the connection's sake.
TEST(HttpReuse, IsThroughWithAnEndlessAnswerOnceEnoughHasCome) {
  const TestServer server([](TestConnection& connection) {
    connection.read_request();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\nX-A: 1\r\n\r\nenough");
    connection.wait_for_end();
  });
  bool satisfied = false;
  std::string body;
  std::string header;
  Request request = get(server.url());
  request.satisfied = &satisfied;
  request.on_head = [&header](int, const std::vector<Header>& headers) {
    header = joined_values(headers, "x-a");
  };
  HttpClient client;
  const Result<Response> response =
      client.stream(request, server.policy(), [&](std::string_view bytes) -> Result<void> {
        body += bytes;
        satisfied = header == "1";
        return {};
      });
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(body, "enough");
}

TEST(HttpReuse, OpensAnotherWhenTheServerWantsToClose) {
  const TestServer server(answering(ok_answer("hello", "Connection: close\r\n")));
  HttpClient client;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.send(get(server.url()), server.policy())->body, "hello");
  }
  EXPECT_EQ(server.accepted(), 3);
}

TEST(HttpReuse, DoesNotUseAConnectionThatSaidMoreThanItWasAsked) {
  const TestServer server(answering(ok_answer("hello") + ok_answer("unasked")));
  HttpClient client;
  EXPECT_EQ(client.send(get(server.url()), server.policy())->body, "hello");
  EXPECT_EQ(client.send(get(server.url()), server.policy())->body, "hello");
  EXPECT_EQ(server.accepted(), 2);
}

// Answers one request on each connection, and reads a second before closing without an answer.
TestServer::Handler answering_once() {
  return [](TestConnection& connection) {
    if (connection.read_request().empty()) return;
    connection.send(ok_answer("hello"));
    connection.read_request();
  };
}

TEST(HttpReuse, SendsAgainOverANewConnectionWhenAKeptOneIsDead) {
  const TestServer server(answering_once());
  HttpClient client;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(client.send(get(server.url()), server.policy())->body, "hello");
  }
  EXPECT_EQ(server.accepted(), 5);
}

TEST(HttpReuse, DoesNotSendTwiceWhatMayNotBeRepeated) {
  const TestServer server(answering_once());
  HttpClient client;
  Request request = get(server.url());
  ASSERT_TRUE(client.send(request, server.policy()).ok());
  request.method = "POST";
  request.body = "pay";
  const Result<Response> response = client.send(request, server.policy());
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code, ErrorCode::Network);
  EXPECT_EQ(server.accepted(), 1);
}

TEST(HttpReuse, DoesNotRetryOnANewConnection) {
  const TestServer server([](TestConnection& connection) { connection.read_request(); });
  HttpClient client;
  const Result<Response> response = client.send(get(server.url()), server.policy());
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().message, "GET " + server.url().text() +
                                          " failed: the server closed the connection without an "
                                          "answer");
  EXPECT_EQ(server.accepted(), 1);
}

TEST(HttpReuse, ServesManyCallersAtOnce) {
  const TestServer server(answering([](const std::string& request) { return ok_answer(request); }));
  HttpClient client;
  std::atomic<int> good = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 16; ++caller) {
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 50; ++i) {
        const std::string path = "/" + std::to_string(caller) + "/" + std::to_string(i);
        const auto response = client.send(get(server.url(path)), server.policy());
        if (response.ok() && response->body.starts_with("GET " + path + " ")) ++good;
      }
    });
  }
  for (auto& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(good, 16 * 50);
  EXPECT_LE(server.accepted(), 16);
}

struct Pair {
  os::UniqueFd ours;
  os::UniqueFd theirs;
};

Pair make_pair() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()), 0);
  return {.ours = os::UniqueFd(ends[0]), .theirs = os::UniqueFd(ends[1])};
}

ConnectionPool::ConnectionPtr connection_to(const Url& url, os::UniqueFd fd) {
  return std::make_unique<Connection>(Connection{.transport = Transport(std::move(fd)),
                                                 .scheme = url.scheme,
                                                 .host = url.host,
                                                 .port = url.port,
                                                 .address = {}});
}

TEST(ConnectionPool, GivesAConnectionToTheSameOriginOnly) {
  const Url url = Url::parse("http://a.example/").value();
  Pair pair = make_pair();
  ConnectionPool pool;
  pool.put(connection_to(url, std::move(pair.ours)));
  for (const std::string_view other :
       {"https://a.example/", "http://b.example/", "http://a.example:81/"}) {
    EXPECT_EQ(pool.take(Url::parse(other).value(), kMaxIdleTime), nullptr);
  }
  EXPECT_NE(pool.take(Url::parse("http://a.example/other").value(), kMaxIdleTime), nullptr);
  EXPECT_EQ(pool.take(url, kMaxIdleTime), nullptr);
}

TEST(ConnectionPool, ThrowsAwayWhatIsClosedTalksOrIsTooOld) {
  const Url url = Url::parse("http://a.example/").value();
  ConnectionPool pool;
  Pair closed = make_pair();
  pool.put(connection_to(url, std::move(closed.ours)));
  closed.theirs.reset();
  EXPECT_EQ(pool.take(url, kMaxIdleTime), nullptr);
  Pair talking = make_pair();
  pool.put(connection_to(url, std::move(talking.ours)));
  ASSERT_EQ(::send(talking.theirs.get(), "x", 1, 0), 1);
  EXPECT_EQ(pool.take(url, kMaxIdleTime), nullptr);
  EXPECT_EQ(pool.size(), 0U);
  Pair old = make_pair();
  pool.put(connection_to(url, std::move(old.ours)));
  EXPECT_EQ(pool.take(url, std::chrono::seconds(-1)), nullptr);
}

TEST(ConnectionPool, HoldsABoundedNumber) {
  ConnectionPool pool;
  std::vector<os::UniqueFd> others;
  for (std::size_t i = 0; i < kMaxIdlePerOrigin + 10; ++i) {
    Pair pair = make_pair();
    pool.put(connection_to(Url::parse("http://a.example/").value(), std::move(pair.ours)));
    others.push_back(std::move(pair.theirs));
  }
  EXPECT_EQ(pool.size(), kMaxIdlePerOrigin);
  for (std::size_t i = 0; i < kMaxIdleConnections; ++i) {
    Pair pair = make_pair();
    const std::string url = "http://h" + std::to_string(i) + ".example/";
    pool.put(connection_to(Url::parse(url).value(), std::move(pair.ours)));
    others.push_back(std::move(pair.theirs));
  }
  EXPECT_EQ(pool.size(), kMaxIdleConnections);
}

}  // namespace
}  // namespace goondan::net
