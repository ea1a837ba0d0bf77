#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "mcp/http_answer.h"
#include "mcp/http_fixture.h"

namespace goondan::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Then = FakeServer::Then;

std::string code_of(const auto& result) {
  return result.ok() ? "ok" : std::string(result.error().code_text());
}

bool is_get(const std::string& request) {
  return request.starts_with("GET ");
}

// Keeps a stream open until the other side goes.
Then hold(net::TestConnection& connection, std::string_view text) {
  connection.send(text);
  connection.wait_for_end();
  return Then::Close;
}

TEST(McpHttpStream, FetchesTheRestOfAStreamThatEndedBeforeItsAnswer) {
  FakeServer server(
      after_initialize([](net::TestConnection& connection, const std::string& request) {
        if (request.starts_with("POST")) {
          connection.send(stream_head() + "id: e-1\nretry: 60\ndata: \n\n");
        } else if (header_of(request, "Last-Event-ID") == "e-1") {
          connection.send(stream_head() + event(kNotice, "e-2"));  // and breaks off again
        } else {
          connection.send(stream_head() + event(kListed, "e-3"));
        }
        return Then::Close;
      }));
  Overheard heard;
  const auto transport = open_legacy(server, heard.listener());
  const Clock::time_point begin = Clock::now();
  EXPECT_EQ(to_text(transport->request(asking(kList)).value()), kListed);
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(120));
  EXPECT_THAT(heard.wait_for(1), ElementsAre(kNotice));
  const std::vector<std::string> requests = server.requests(4);
  EXPECT_TRUE(is_get(requests[2]));
  EXPECT_EQ(header_of(requests[2], "Accept"), "text/event-stream");
  EXPECT_EQ(header_of(requests[2], "Mcp-Session-Id"), "s-1");
  EXPECT_EQ(header_of(requests[2], "MCP-Protocol-Version"), "2025-11-25");
  EXPECT_EQ(header_of(requests[3], "Last-Event-ID"), "e-2");
}

TEST(McpHttpStream, GivesUpOnAStreamThatBringsNothingNew) {
  FakeServer server(after_initialize([](net::TestConnection& connection,
                                        const std::string& request) {
    connection.send(is_get(request) ? stream_head() : stream_head() + "id: 1\nretry: 0\ndata:\n\n");
    return Then::Close;
  }));
  EXPECT_EQ(code_of(open_legacy(server)->request(asking(kList))), "E_MCP");
  EXPECT_EQ(server.requests().size(), 2u + 5u + 1u);  // and the DELETE
}

TEST(McpHttpStream, DoesNotAskForTheRestWhereThereIsNone) {
  FakeServer server(after_initialize([](net::TestConnection& connection, const std::string&) {
    connection.send(stream_head() + "id: 1\nretry: 0\ndata:\n\n");
    return Then::Close;
  }));
  const auto transport = open_legacy(server);
  transport->set_era(Era::Modern, "2026-07-28");
  EXPECT_EQ(code_of(transport->request(asking(kList))), "E_MCP");
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST(McpHttpStream, ListensToAServerAndComesBackAfterTheEndOfTheStream) {
  std::atomic<int> streams = 0;
  FakeServer server(
      after_initialize([&](net::TestConnection& connection, const std::string& request) {
        if (!is_get(request)) return connection.send(json_answer(kListed)), Then::GoOn;
        if (++streams > 1) return hold(connection, stream_head() + event(kNotice, "b"));
        connection.send(stream_head() + "retry: 1\n" + event(kNotice, "a"));
        return Then::Close;
      }));
  Overheard heard;
  const auto transport = open_legacy(server, heard.listener());
  transport->listen();
  transport->listen();  // nothing more
  EXPECT_EQ(heard.wait_for(2).size(), 2u);
  const std::vector<std::string> requests = server.requests(3);
  EXPECT_EQ(header_of(requests[1], "Last-Event-ID"), "(none)");
  EXPECT_EQ(header_of(requests[2], "Last-Event-ID"), "a");
  EXPECT_EQ(header_of(requests[2], "Mcp-Session-Id"), "s-1");
  EXPECT_TRUE(transport->request(asking(kList)).ok());  // beside the stream, which is still open
}

TEST(McpHttpStream, DoesNotInsistOnAStreamThatTheServerHasNot) {
  FakeServer server(after_initialize(FakeServer::saying([](const std::string& request) {
    return is_get(request) ? http_answer("405 Not Allowed", "text/plain", "")
                           : json_answer(kListed);
  })));
  const auto transport = open_legacy(server);
  transport->listen();
  server.requests(2);
  EXPECT_TRUE(transport->request(asking(kList)).ok());
  EXPECT_TRUE(transport->alive());
}

TEST(McpHttpStream, LearnsOnTheStreamThatTheSessionIsOver) {
  FakeServer server(
      after_initialize(FakeServer::saying(http_answer("404 Gone", "text/plain", ""))));
  const auto transport = open_legacy(server);
  transport->listen();
  const Deadline end = Clock::now() + std::chrono::seconds(60);
  while (transport->alive() && Clock::now() < end) {
    std::this_thread::yield();
  }
  EXPECT_FALSE(transport->alive());
}

TEST(McpHttpStream, TakesAnAnswerThatComesOnTheStreamForEverythingElse) {
  std::atomic<bool> posted = false;
  FakeServer server(after_initialize([&](net::TestConnection& connection, const std::string& one) {
    if (!is_get(one)) {
      posted = true;
      posted.notify_all();
      return hold(connection, stream_head());
    }
    connection.send(stream_head());
    posted.wait(false);
    return hold(connection, event(kListed));
  }));
  const auto transport = open_legacy(server);
  transport->listen();
  EXPECT_EQ(to_text(transport->request(asking(kList)).value()), kListed);
}

// A server that begins streams and never answers.
FakeServer::Act silent() {
  return after_initialize([](net::TestConnection& connection, const std::string& request) {
    if (!request.contains("tools/list")) {
      return connection.send(http_answer("202 Accepted", "text/plain", "")), Then::GoOn;
    }
    return hold(connection, stream_head() + ": still there\n\n");
  });
}

TEST(McpHttpStream, TellsALegacyServerThatARequestIsCancelled) {
  FakeServer server(silent());
  const auto transport = open_legacy(server);
  std::stop_source stop;
  Outgoing outgoing = asking(kList);
  outgoing.stop = stop.get_token();
  std::jthread canceller([&] { server.requests(2), stop.request_stop(); });
  EXPECT_EQ(code_of(transport->request(outgoing)), "E_TOOL_CANCELLED");
  const Json told = body_of(server.requests(3)[2]);
  EXPECT_EQ(told.at("method"), "notifications/cancelled");
  EXPECT_EQ(told.at("params").at("requestId"), 1);
}

TEST(McpHttpStream, ClosesTheStreamToCancelInTheModernEra) {
  std::atomic<bool> closed = false;
  FakeServer server([&](net::TestConnection& connection, const std::string&) {
    hold(connection, stream_head() + event(kNotice));
    closed = true;
    closed.notify_all();
    return Then::Close;
  });
  const auto transport = open_to(server);
  transport->set_era(Era::Modern, "2026-07-28");
  Outgoing outgoing = asking(kList);
  outgoing.deadline = Clock::now() + std::chrono::milliseconds(50);
  EXPECT_EQ(code_of(transport->request(outgoing)), "E_TOOL_TIMEOUT");
  closed.wait(false);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(McpHttpStream, SendsNotificationsAndDoesNotWaitForMoreThanTheStatus) {
  FakeServer server(after_initialize([](net::TestConnection& connection, const std::string& one) {
    if (one.contains("\"a\"")) {
      return connection.send(http_answer("202 Accepted", "text/plain", "")), Then::GoOn;
    }
    if (one.contains("\"b\"")) return hold(connection, stream_head());
    connection.send(http_answer("400 Bad Request", "text/plain", "not now"));
    return Then::GoOn;
  }));
  const auto transport = open_legacy(server);
  const auto send = [&](std::string_view method) {
    return transport->send({{"jsonrpc", "2.0"}, {"method", method}},
                           Clock::now() + std::chrono::seconds(60));
  };
  EXPECT_EQ(code_of(send("a")), "ok");
  EXPECT_EQ(code_of(send("b")), "ok");
  const Result<void> refused = send("c");
  EXPECT_EQ(code_of(refused), "E_MCP_SERVER");
  EXPECT_THAT(refused.error().message, HasSubstr("not now"));
}

TEST(McpHttpStream, AnswersManyRequestsAtOnce) {
  FakeServer server(after_initialize(FakeServer::saying([](const std::string& request) {
    if (request.starts_with("DELETE")) return json_answer("{}");
    const std::string id = to_text(body_of(request).at("id"));
    const std::string answer = R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + id + "}";
    return request.size() % 2 == 0 ? json_answer(answer) : stream_answer(event(answer));
  })));
  const auto transport = open_legacy(server);
  std::vector<std::jthread> askers;
  for (int asker = 1; asker <= 8; ++asker) {
    askers.emplace_back([&transport, asker] {
      for (int i = 0; i < 25; ++i) {
        const int id = asker * 1000 + i;
        const Json message{{"jsonrpc", "2.0"}, {"id", id}, {"method", std::string(1 + i % 2, 'm')}};
        const Outgoing outgoing{.message = message,
                                .deadline = Clock::now() + std::chrono::seconds(60)};
        const Result<Json> answer = transport->request(outgoing);
        EXPECT_EQ(answer.ok() ? answer->at("result") : Json(nullptr), id);
      }
    });
  }
}

TEST(McpHttpStream, EndsWhileItListens) {
  FakeServer server(
      after_initialize([](net::TestConnection& connection, const std::string& request) {
        return is_get(request) ? hold(connection, stream_head())
                               : (connection.send(json_answer("{}")), Then::GoOn);
      }));
  auto transport = open_legacy(server);
  transport->listen();
  server.requests(2);
  transport.reset();
  EXPECT_THAT(server.requests(3)[2], StartsWith("DELETE "));
}

TEST(McpHttpStream, ReadsTheSameHoweverTheBytesAreCut) {
  const std::string body = ": c\r\n\r\nid: 7\r\nretry: 20\r\n\r\n" + event(kNotice, "8") +
                           event(kListed, "9") + event(kNotice, "10");
  for (std::size_t piece = 1; piece <= body.size(); ++piece) {
    int notices = 0;
    HttpAnswer answer(1, [&](const Json&) { ++notices; });
    answer.begin(200, {{"content-type", "text/event-stream"}});
    for (std::size_t at = 0; at < body.size(); at += piece) {
      ASSERT_TRUE(answer.add(std::string_view(body).substr(at, piece)).ok());
    }
    EXPECT_EQ(notices, 1);
    EXPECT_EQ(answer.last_id(), "9");
    EXPECT_EQ(answer.retry(), std::chrono::milliseconds(20));
    ASSERT_TRUE(answer.response());
    EXPECT_EQ(to_text(*answer.response()), kListed);
  }
}

}  // namespace
}  // namespace goondan::mcp
