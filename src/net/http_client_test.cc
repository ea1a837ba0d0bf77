#include "net/http_client.h"

#include <zlib.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/test_server.h"

namespace goondan::net {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<Response> ask(const TestServer& server, Request request) {
  HttpClient client;
  return client.send(request, server.policy());
}

Result<Response> ask(const TestServer& server) {
  return ask(server, get(server.url("/path?secret=1")));
}

TEST(HttpClient, GivesTheWholeResponse) {
  const TestServer server(answering(
      "HTTP/1.1 201 Made it\r\nX-One: 1\r\nSet-Cookie: a\r\nset-cookie: b\r\nContent-Length: "
      "5\r\n\r\nhello"));
  const Response response = ask(server).value();
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.reason, "Made it");
  EXPECT_EQ(
      response.headers,
      (std::vector<Header>{
          {"x-one", "1"}, {"set-cookie", "a"}, {"set-cookie", "b"}, {"content-length", "5"}}));
  EXPECT_EQ(response.header("set-cookie"), "a, b");
  EXPECT_EQ(response.header("missing"), "");
  EXPECT_EQ(response.body, "hello");
  EXPECT_FALSE(response.truncated);
  EXPECT_EQ(response.url, server.url("/path?secret=1").text());
}

TEST(HttpClient, TakesErrorsOfTheServerForResponses) {
  for (const std::string status : {"404 Not Found", "500 Oops"}) {
    const TestServer server(answering("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n"));
    EXPECT_EQ(std::to_string(ask(server)->status), status.substr(0, 3));
  }
}

TEST(HttpClient, SendsMethodHeadersAndBody) {
  std::string seen;
  const TestServer server(answering([&seen](const std::string& request) {
    seen = request;
    return ok_answer("");
  }));
  Request request = get(server.url("/a?b"));
  request.method = "POST";
  request.headers = {{"X-A", "b"}};
  request.body = "the body";
  ASSERT_TRUE(ask(server, request).ok());
  EXPECT_THAT(seen, HasSubstr("POST /a?b HTTP/1.1\r\n"));
  EXPECT_THAT(seen, HasSubstr("Host: 127.0.0.1:" + std::to_string(server.port())));
  EXPECT_THAT(seen, HasSubstr("X-A: b\r\n"));
  EXPECT_TRUE(seen.ends_with("Content-Length: 8\r\n\r\nthe body"));
}

TEST(HttpClient, SendsLargeBodies) {
  std::size_t seen = 0;
  const TestServer server(answering([&seen](const std::string& request) {
    seen = request.size() - request.find("\r\n\r\n") - 4;
    return ok_answer("");
  }));
  Request request = get(server.url());
  request.method = "PUT";
  request.body.assign(std::size_t{20} << 20, 'x');
  ASSERT_TRUE(ask(server, request).ok());
  EXPECT_EQ(seen, request.body.size());
}

TEST(HttpClient, ReadsAnAnswerThatComesBeforeTheBodyIsSent) {
  const TestServer server([](TestConnection& connection) {
    connection.read_head();
    connection.send("HTTP/1.1 413 Too much\r\nContent-Length: 2\r\n\r\nno");
    connection.wait_without_reading();
  });
  Request request = get(server.url());
  request.method = "POST";
  request.body.assign(std::size_t{30} << 20, 'x');
  EXPECT_EQ(ask(server, request)->status, 413);
}

TEST(HttpClient, ReadsEveryKindOfFraming) {
  for (const std::string& answer :
       {ok_answer("hello"),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n"
                    "0\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello"),
        std::string("HTTP/1.0 200 OK\r\n\r\nhello"),
        std::string("HTTP/1.1 100 Continue\r\n\r\n") + ok_answer("hello")}) {
    const TestServer server([&answer](TestConnection& connection) {
      connection.read_request();
      connection.send(answer);
    });
    EXPECT_EQ(ask(server)->body, "hello") << answer;
  }
}

TEST(HttpClient, ReadsAnAnswerThatComesByteByByte) {
  const std::string answer =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  const TestServer server([&answer](TestConnection& connection) {
    connection.read_request();
    for (const char c : answer) {
      connection.send({&c, 1});
    }
    connection.wait_for_end();
  });
  EXPECT_EQ(ask(server)->body, "hello");
}

TEST(HttpClient, ExpectsNoBodyAfterHead) {
  const TestServer server(answering("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"));
  Request request = get(server.url());
  request.method = "HEAD";
  const Response response = ask(server, request).value();
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.header("content-length"), "1000");
}

std::string gzipped(std::string_view text) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

TEST(HttpClient, DecodesTheBodyAndKeepsTheHeader) {
  const std::string text(100000, 'a');
  const TestServer server(answering(ok_answer(gzipped(text), "Content-Encoding: gzip\r\n")));
  const Response response = ask(server).value();
  EXPECT_EQ(response.body, text);
  EXPECT_EQ(response.header("content-encoding"), "gzip");
}

TEST(HttpClient, DecodesABodyThatWasCompressedTwice) {
  const TestServer server(answering(ok_answer(
      gzipped(gzipped("twice")), "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n")));
  EXPECT_EQ(ask(server)->body, "twice");
}

TEST(HttpClient, RefusesABodyThatItCannotDecodeByTheNameOfItsCoding) {
  for (const std::string coding : {"br", "zstd", "compress", "gzip, br"}) {
    const TestServer server(answering(ok_answer("??", "Content-Encoding: " + coding + "\r\n")));
    const Error error = ask(server).error();
    EXPECT_EQ(error.code, ErrorCode::HttpResponse);
    EXPECT_THAT(error.message, HasSubstr("'" + coding.substr(coding.rfind(' ') + 1) + "'"));
    EXPECT_THAT(error.message, HasSubstr("cannot be decoded"));
  }
  const TestServer empty(answering(ok_answer("", "Content-Encoding: br\r\n")));
  EXPECT_EQ(ask(empty)->body, "") << "there is nothing to decode";
}

TEST(HttpClient, CutsABodyAtTheLimit) {
  const TestServer server(answering(ok_answer("0123456789")));
  Request request = get(server.url());
  for (const auto& [limit, body, truncated] :
       std::vector<std::tuple<std::size_t, std::string, bool>>{{0, "", true},
                                                               {9, "012345678", true},
                                                               {10, "0123456789", false},
                                                               {11, "0123456789", false}}) {
    request.max_body = limit;
    const Response response = ask(server, request).value();
    EXPECT_EQ(response.body, body);
    EXPECT_EQ(response.truncated, truncated) << limit;
  }
}

TEST(HttpClient, CutsAtTheLimitWithoutWaitingForMoreThatWasPromised) {
  const TestServer server([](TestConnection& connection) {
    connection.read_request();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789");
    connection.wait_for_end();
  });
  Request request = get(server.url());
  request.max_body = 10;
  const Response response = ask(server, request).value();
  EXPECT_EQ(response.body, "0123456789");
  EXPECT_TRUE(response.truncated);
}

// REQ: BLT-4
TEST(HttpClient, CutsAnEndlessBodyAndABombAndClosesTheConnection) {
  const TestServer endless([](TestConnection& connection) {
    connection.read_request();
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (connection.send("5\r\nhello\r\n")) {  // until the client closes
    }
  });
  Request request = get(endless.url());
  request.max_body = 1000;
  EXPECT_EQ(ask(endless, request)->body.size(), 1000U);

  const std::string bomb = gzipped(std::string(std::size_t{16} << 20, 'a'));
  const TestServer server(answering(ok_answer(bomb, "Content-Encoding: gzip\r\n")));
  request.url = server.url();
  const Response response = ask(server, request).value();
  EXPECT_EQ(response.body.size(), 1000U);
  EXPECT_TRUE(response.truncated);
}

TEST(HttpClient, FailsAboveTheLimitIfAskedTo) {
  const TestServer server(answering(ok_answer("0123456789")));
  Request request = get(server.url());
  request.overflow = Overflow::Fail;
  request.max_body = 9;
  const Result<Response> refused = ask(server, request);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::HttpResponse);
  EXPECT_THAT(refused.error().message, HasSubstr("more than 9 bytes"));
  request.max_body = 10;
  EXPECT_TRUE(ask(server, request).ok());
}

TEST(HttpClient, StreamsTheBodyAsItComes) {
  const TestServer server([](TestConnection& connection) {
    connection.read_request();
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
    // The rest comes only when the first part has been seen.
    if (connection.read_request().empty()) return;
  });
  HttpClient client;
  std::string seen;
  const Result<Response> response =
      client.stream(get(server.url()), server.policy(), [&seen](std::string_view bytes) {
        seen += bytes;
        return tool_error("that is enough");
      });
  EXPECT_EQ(seen, "one");
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().message, "that is enough");
}

TEST(HttpClient, StreamsDecodedBytesUpToTheLimit) {
  const TestServer server(
      answering(ok_answer(gzipped(std::string(100000, 'a')), "Content-Encoding: gzip\r\n")));
  HttpClient client;
  Request request = get(server.url());
  request.max_body = 70000;
  std::size_t seen = 0;
  const Response response = client
                                .stream(request, server.policy(),
                                        [&seen](std::string_view bytes) {
                                          seen += bytes.size();
                                          return Result<void>();
                                        })
                                .value();
  EXPECT_EQ(seen, 70000U);
  EXPECT_TRUE(response.truncated);
  EXPECT_EQ(response.body, "");
}

TEST(HttpClient, SaysWhatIsWrongWithAResponse) {
  const TestServer server(answering("SSH-2.0-OpenSSH_9.2\r\n"));
  const Result<Response> response = ask(server);
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code, ErrorCode::HttpResponse);
  EXPECT_EQ(response.error().message,
            "GET " + server.url("/path").text() + " failed: the server's answer is not HTTP/1.x");
}

// REQ: BLT-4
TEST(HttpClient, ReachesNothingThePolicyDoesNotAllow) {
  const TestServer server(answering(ok_answer("")));
  HttpClient client;
  const Result<Response> response = client.send(get(server.url()), HostPolicy());
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code, ErrorCode::HostNotAllowed);
  EXPECT_EQ(server.accepted(), 0);
}

// REQ: BLT-4
TEST(HttpClient, LooksAtNoProxyVariables) {
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"}) {
    ::setenv(name, "http://127.0.0.1:1", 1);
  }
  const TestServer server(answering(ok_answer("direct")));
  EXPECT_EQ(ask(server)->body, "direct");
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"}) {
    ::unsetenv(name);
  }
}

}  // namespace
}  // namespace goondan::net
