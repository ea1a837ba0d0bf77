#include "mcp/http_transport.h"

#include <gmock/gmock.h>

#include "mcp/header_value.h"
#include "mcp/http_fixture.h"

namespace goondan::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string code_of(const auto& result) {
  return result.ok() ? "ok" : std::string(result.error().code_text());
}

TEST(McpHttp, PostsAMessageAndReturnsTheDocument) {
  FakeServer server(FakeServer::saying(json_answer(kListed)));
  const auto transport = open_to(server);
  EXPECT_EQ(to_text(transport->request(asking(kList)).value()), kListed);
  const std::string request = server.requests().at(0);
  EXPECT_THAT(request, StartsWith("POST /mcp HTTP/1.1\r\n"));
  EXPECT_EQ(header_of(request, "Accept"), "application/json, text/event-stream");
  EXPECT_EQ(header_of(request, "Content-Type"), "application/json");
  EXPECT_EQ(header_of(request, "MCP-Protocol-Version"), "(none)");
  EXPECT_EQ(header_of(request, "Mcp-Session-Id"), "(none)");
  EXPECT_EQ(body_of(request), json(kList));
}

TEST(McpHttp, PassesOnWhatAStreamSaysBeforeTheAnswerAndUsesItsConnectionAgain) {
  const std::string stream = ": hello\n\n" + event(kNotice) + "event: ping\ndata: no json\n\n" +
                             "event: message\n" + event(kListed);
  FakeServer server(FakeServer::saying(stream_answer(stream)));
  Overheard heard;
  const auto transport = open_to(server, {}, heard.listener());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(to_text(transport->request(asking(kList)).value()), kListed);
  }
  EXPECT_THAT(heard.wait_for(3), ElementsAre(kNotice, kNotice, kNotice));
  EXPECT_EQ(server.net().accepted(), 1);
}

TEST(McpHttp, DoesNotWaitForTheEndOfAStreamThatHasAnswered) {
  FakeServer server([](net::TestConnection& connection, const std::string&) {
    connection.send(stream_head() + event(kListed));
    connection.wait_for_end();
    return FakeServer::Then::Close;
  });
  EXPECT_EQ(to_text(open_to(server)->request(asking(kList)).value()), kListed);
}

TEST(McpHttp, TakesMessagesThatComeInOneArray) {
  FakeServer server(FakeServer::saying(
      json_answer("[" + std::string(kNotice) + "," + std::string(kListed) + "]")));
  Overheard heard;
  EXPECT_TRUE(open_to(server, {}, heard.listener())->request(asking(kList)).ok());
  EXPECT_THAT(heard.wait_for(1), ElementsAre(kNotice));
}

TEST(McpHttp, SaysInHeadersWhatAModernMessageSays) {
  FakeServer server(FakeServer::saying(
      json_answer(R"({"jsonrpc":"2.0","id":5,"result":{}})", "Mcp-Session-Id: x\r\n")));
  const auto transport = open_to(server);
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";
  const auto ask = [&](std::string_view method, std::string_view params) {
    Outgoing outgoing = asking(R"({"jsonrpc":"2.0","id":5,"method":")" + std::string(method) +
                               R"(","params":{)" + std::string(params) + meta + "}}");
    outgoing.headers = {{"Mcp-Param-Region", "eu"}};
    EXPECT_TRUE(transport->request(outgoing).ok());
    return server.requests().back();
  };
  const std::string discover = ask("server/discover", "");
  EXPECT_EQ(header_of(discover, "MCP-Protocol-Version"), "2026-07-28");
  EXPECT_EQ(header_of(discover, "Mcp-Method"), "server/discover");
  EXPECT_EQ(header_of(discover, "Mcp-Name"), "(none)");
  transport->set_era(Era::Modern, "2026-07-28");
  const std::string call = ask("tools/call", R"("name":"add",)");
  EXPECT_EQ(header_of(call, "Mcp-Name"), "add");
  EXPECT_EQ(header_of(call, "Mcp-Param-Region"), "eu");
  EXPECT_EQ(header_of(call, "Mcp-Session-Id"), "(none)");
  EXPECT_EQ(header_of(ask("resources/read", R"("uri":"file:///a%20b",)"), "Mcp-Name"),
            "file:///a%20b");
  EXPECT_EQ(header_of(ask("prompts/get", R"("name":"인사",)"), "Mcp-Name"), "=?base64?7J247IKs?=");
}

TEST(McpHttp, EncodesWhatAHeaderCannotCarry) {
  EXPECT_EQ(header_value("us west 1"), "us west 1");
  EXPECT_EQ(header_value(""), "");
  EXPECT_EQ(header_value(" padded "), "=?base64?IHBhZGRlZCA=?=");
  EXPECT_EQ(header_value("a\r\nb"), "=?base64?YQ0KYg==?=");
  EXPECT_EQ(header_value("=?base64?YQ==?="), "=?base64?PT9iYXNlNjQ/WVE9PT89?=");
}

TEST(McpHttp, KeepsALegacySessionAndEndsItWithADelete) {
  FakeServer server(after_initialize(FakeServer::saying(json_answer(kListed))));
  auto transport = open_legacy(server);
  EXPECT_TRUE(transport->request(asking(kList)).ok());
  EXPECT_TRUE(transport->alive());
  transport.reset();
  const std::vector<std::string> requests = server.requests(3);
  EXPECT_EQ(header_of(requests[0], "Mcp-Session-Id"), "(none)");
  EXPECT_EQ(header_of(requests[1], "Mcp-Session-Id"), "s-1");
  EXPECT_EQ(header_of(requests[1], "MCP-Protocol-Version"), "2025-11-25");
  EXPECT_EQ(header_of(requests[1], "Mcp-Method"), "(none)");
  EXPECT_THAT(requests[2], StartsWith("DELETE /mcp HTTP/1.1\r\n"));
  EXPECT_EQ(header_of(requests[2], "Mcp-Session-Id"), "s-1");
}

TEST(McpHttp, IsOverWhenTheServerKnowsItsSessionNoLonger) {
  FakeServer server(after_initialize(FakeServer::saying(http_answer(
      "404 Not Found", "application/json",
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}})"))));
  auto transport = open_legacy(server);
  const Result<Json> answer = transport->request(asking(kList));
  EXPECT_EQ(code_of(answer), "E_MCP_SERVER");
  EXPECT_THAT(answer.error().message, HasSubstr("ended the session"));
  EXPECT_FALSE(transport->alive());
  transport.reset();
  EXPECT_EQ(server.requests().size(), 2u);  // no DELETE
}

TEST(McpHttp, ReturnsTheErrorThatARefusalIs) {
  const std::string error = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}})";
  const std::string nobody =
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}})";
  for (const std::string& body : {error, nobody}) {
    for (const char* status : {"400 Bad Request", "404 Not Found", "500 Internal"}) {
      FakeServer server(FakeServer::saying(http_answer(status, "application/json", body)));
      const Result<Json> answer = open_to(server)->request(asking(kList));
      ASSERT_EQ(code_of(answer), "ok");
      EXPECT_EQ(to_text(*answer), body);
    }
  }
}

TEST(McpHttp, SaysThatAuthorizationIsNeededAndKeepsItsSecrets) {
  for (const char* status : {"401 Unauthorized", "403 Forbidden"}) {
    FakeServer server(FakeServer::saying(
        http_answer(status, "application/json",
                    R"({"error":{"message":"token s3cr3t-t0ken-1234 is wrong"}})")));
    const auto transport = open_to(server, {{"Authorization", "Bearer s3cr3t-t0ken-1234"}});
    const Result<Json> answer = transport->request(asking(kList));
    EXPECT_EQ(code_of(answer), "E_MCP_SERVER");
    EXPECT_THAT(answer.error().message, HasSubstr("authorization"));
    EXPECT_THAT(answer.error().message, HasSubstr("token [redacted] is wrong"));
    EXPECT_THAT(answer.error().suggestion, HasSubstr("'Authorization'"));
    EXPECT_EQ(header_of(server.requests()[0], "Authorization"), "Bearer s3cr3t-t0ken-1234");
    EXPECT_TRUE(transport->alive());
  }
}

TEST(McpHttp, RefusesWhatIsNoAnswer) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {http_answer("200 OK", "text/html", "<html>"), "E_MCP"},
      {json_answer("{"), "E_MCP"},
      {json_answer("7"), "E_MCP"},
      {json_answer("{}"), "E_MCP"},
      {json_answer(""), "E_MCP"},
      {json_answer(kInitialized), "E_MCP"},  // the answer to another request
      {stream_answer(""), "E_MCP"},
      {stream_answer(event("{")), "E_MCP"},
      {http_answer("202 Accepted", "text/plain", ""), "E_MCP"},
      {http_answer("404 Not Found", "text/plain", "gone"), "E_MCP_SERVER"},
      {http_answer("503 Busy", "application/json", "{}"), "E_MCP_SERVER"},
      {http_answer("301 Moved", "text/plain", "", "Location: /other\r\n"), "E_MCP_SERVER"},
      {"nonsense\r\n\r\n", "E_MCP_SERVER"},
      {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
       "E_TOOL_TIMEOUT"},
  };
  for (const auto& [text, code] : cases) {
    FakeServer server(FakeServer::saying(text));
    Outgoing outgoing = asking(kList);
    if (code == "E_TOOL_TIMEOUT") outgoing.deadline = Clock::now() + std::chrono::milliseconds(50);
    const Result<Json> answer = open_to(server)->request(outgoing);
    EXPECT_EQ(code_of(answer), code) << text;
    EXPECT_THAT(answer.error().message, HasSubstr("MCP server 'demo': ")) << text;
  }
}

TEST(McpHttp, RefusesMessagesThatAreTooLarge) {
  const std::string filler(kMaxMessageBytes, 'x');
  const std::string large = R"({"jsonrpc":"2.0","id":1,"result":")" + filler + "\"}";
  for (const std::string& text : {json_answer(large), stream_answer(event(large))}) {
    FakeServer server(FakeServer::saying(text));
    EXPECT_EQ(code_of(open_to(server)->request(asking(kList))), "E_LIMIT");
  }
  FakeServer server(FakeServer::saying(json_answer(kListed)));
  Outgoing outgoing = asking(kList);
  outgoing.message.as_object()["params"] = filler;
  EXPECT_EQ(code_of(open_to(server)->request(outgoing)), "E_LIMIT");
  EXPECT_TRUE(server.requests().empty());
}

TEST(McpHttp, SaysWhenNobodyIsThere) {
  std::string url;
  net::HostPolicy policy;
  {
    const FakeServer gone(FakeServer::saying(""));
    url = gone.net().url("/mcp").text();
    policy = gone.net().policy();
  }
  const auto transport = open_http({.name = "demo", .url = url}, policy, {}, {}).value();
  EXPECT_EQ(code_of(transport->request(asking(kList))), "E_MCP_SERVER");
}

TEST(McpHttp, GoesOnlyWhereItsPolicyAllows) {
  FakeServer server(FakeServer::saying(json_answer(kListed)));
  const auto transport =
      open_http({.name = "demo", .url = server.net().url().text()}, {}, {}, {}).value();
  EXPECT_EQ(code_of(transport->request(asking(kList))), "E_HOST_NOT_ALLOWED");
  EXPECT_EQ(code_of(open_http({.name = "demo", .url = "ftp://x"}, {}, {}, {})), "E_URL_INVALID");
}

TEST(McpHttp, FollowsARedirectOnTheSameOriginOnly) {
  FakeServer other(FakeServer::saying(json_answer(kListed)));
  FakeServer server(FakeServer::saying([&](const std::string& request) {
    if (request.starts_with("POST /mcp ")) {
      return http_answer("307 Moved", "text/plain", "moved", "Location: /mcp/\r\n");
    }
    if (request.contains("tools/list")) return json_answer(kListed);
    return http_answer("307 Moved", "text/plain", "moved",
                       "Location: " + other.net().url("/mcp").text() + "\r\n");
  }));
  const auto transport = open_to(server, {{"X-Key", "key-of-mine"}});
  EXPECT_EQ(code_of(transport->request(asking(kList))), "ok");
  EXPECT_EQ(header_of(server.requests().at(1), "X-Key"), "key-of-mine");
  const Result<Json> away = transport->request(asking(kInitialize));
  EXPECT_EQ(code_of(away), "E_MCP_SERVER");
  EXPECT_THAT(away.error().message, HasSubstr("another origin"));
  EXPECT_TRUE(other.requests().empty());
}

TEST(McpHttp, DoesNotRunInCircles) {
  FakeServer server(
      FakeServer::saying(http_answer("307 Moved", "text/plain", "", "Location: /mcp\r\n")));
  EXPECT_EQ(code_of(open_to(server)->request(asking(kList))), "E_MCP_SERVER");
  EXPECT_EQ(server.requests().size(), 4u);
}

TEST(McpHttp, LetsHeadersOfTheProtocolWinOverConfiguredOnes) {
  FakeServer server(FakeServer::saying(json_answer(kListed)));
  EXPECT_TRUE(
      open_to(server, {{"accept", "text/html"}, {"X-A", "1"}})->request(asking(kList)).ok());
  EXPECT_THAT(server.requests()[0], Not(HasSubstr("text/html")));
  EXPECT_EQ(header_of(server.requests()[0], "X-A"), "1");
  const auto bad = open_http(
      {.name = "demo", .url = "http://a", .headers = {{"X-A", "secret\nB: 1"}}}, {}, {}, {});
  EXPECT_EQ(code_of(bad), "E_CONFIG");
  EXPECT_THAT(bad.error().message, Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace goondan::mcp
