#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/test_server.h"

namespace goondan::net {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string redirect(int status, const std::string& location, std::string_view body = "gone") {
  return "HTTP/1.1 " + std::to_string(status) + " Elsewhere\r\nLocation: " + location +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string target_of(const std::string& request) {
  const std::size_t begin = request.find(' ') + 1;
  return request.substr(begin, request.find(' ', begin) - begin);
}

// Redirects `/<status>` to `location` and answers anything else with the request it saw.
TestServer::Handler redirecting(std::string location) {
  return answering([location = std::move(location)](const std::string& request) {
    const std::string target = target_of(request);
    return target == "/end" ? ok_answer(request) : redirect(std::stoi(target.substr(1)), location);
  });
}

Request post(const Url& url) {
  Request request = get(url);
  request.method = "POST";
  request.headers = {{"Authorization", "Bearer s3cret"}, {"Content-Type", "text/x-mine"}};
  request.body = "the body";
  return request;
}

HostPolicy both(const TestServer& one, const TestServer& other) {
  return HostPolicy({AllowedHost{.host = "127.0.0.1", .port = one.port()},
                     AllowedHost{.host = "127.0.0.1", .port = other.port()}});
}

TEST(HttpRedirect, IsFollowedOnOneConnection) {
  const TestServer server(redirecting("/end"));
  for (const int status : {301, 302, 303, 307, 308}) {
    HttpClient client;
    const int before = server.accepted();
    const Response response =
        client.send(get(server.url("/" + std::to_string(status))), server.policy()).value();
    EXPECT_THAT(response.body, HasSubstr("GET /end")) << status;
    EXPECT_EQ(response.url, server.url("/end").text());
    EXPECT_EQ(server.accepted(), before + 1);
  }
}

TEST(HttpRedirect, IsFollowedWhateverItsOwnBodyIsCodedAs) {
  const TestServer server(answering([](const std::string& request) {
    if (target_of(request) == "/end") return ok_answer("there");
    return std::string(
        "HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Encoding: br\r\n"
        "Content-Length: 2\r\n\r\n??");
  }));
  HttpClient client;
  EXPECT_EQ(client.send(get(server.url("/")), server.policy()).value().body, "there");
}

TEST(HttpRedirect, KeepsOrChangesTheMethodByItsCode) {
  const TestServer server(redirecting("/end"));
  HttpClient client;
  for (const int status : {301, 302, 303}) {
    const Response response =
        client.send(post(server.url("/" + std::to_string(status))), server.policy()).value();
    EXPECT_THAT(response.body, HasSubstr("GET /end")) << status;
    EXPECT_THAT(response.body, Not(HasSubstr("the body")));
    EXPECT_THAT(response.body, Not(HasSubstr("text/x-mine")));
    EXPECT_THAT(response.body, HasSubstr("s3cret"));
  }
  for (const int status : {307, 308}) {
    const Response response =
        client.send(post(server.url("/" + std::to_string(status))), server.policy()).value();
    EXPECT_THAT(response.body, HasSubstr("POST /end")) << status;
    EXPECT_THAT(response.body, HasSubstr("the body"));
  }
}

// REQ: BLT-4
TEST(HttpRedirect, TakesNoSecretsToAnotherOrigin) {
  const TestServer target(redirecting("/end"));
  const TestServer source(redirecting(target.url("/end").text()));
  HttpClient client;
  const Response response = client.send(post(source.url("/302")), both(source, target)).value();
  EXPECT_THAT(response.body, HasSubstr("GET /end"));
  EXPECT_THAT(response.body, Not(HasSubstr("s3cret")));
  EXPECT_EQ(response.url, target.url("/end").text());

  const Result<Response> refused = client.send(post(source.url("/307")), both(source, target));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::HostNotAllowed);
  EXPECT_EQ(target.accepted(), 1);
}

// REQ: BLT-4
TEST(HttpRedirect, IsJudgedLikeAnyOtherRequest) {
  const TestServer inner(answering(ok_answer("secret")));
  for (const std::string& location :
       {inner.url().text(), "http://[::ffff:127.0.0.1]:" + std::to_string(inner.port()) + "/",
        std::string("//169.254.169.254/latest/meta-data/"), std::string("http://localhost/"),
        std::string("http://metadata.google.internal/")}) {
    const TestServer outer(redirecting(location));
    HttpClient client;
    const Result<Response> response = client.send(get(outer.url("/302")), outer.policy());
    ASSERT_FALSE(response.ok()) << location;
    EXPECT_EQ(response.error().code, ErrorCode::HostNotAllowed) << location;
    EXPECT_THAT(response.error().message, testing::StartsWith("GET " + outer.url("/302").text() +
                                                              " was redirected to http://"));
    EXPECT_THAT(response.error().message, HasSubstr(", which is not followed: "));
    EXPECT_THAT(response.error().suggestion, HasSubstr("--allow-host"));
  }
  EXPECT_EQ(inner.accepted(), 0);
}

TEST(HttpRedirect, ThatIsRefusedShowsNoQueries) {
  const TestServer server(redirecting("http://10.0.0.1/x?key=s3cret"));
  HttpClient client;
  Request request = get(server.url("/302"));
  request.url.query = "?token=s3cret";
  const Result<Response> response = client.send(request, server.policy());
  ASSERT_FALSE(response.ok());
  EXPECT_THAT(response.error().message, HasSubstr("http://10.0.0.1/x"));
  EXPECT_THAT(response.error().message + response.error().suggestion, Not(HasSubstr("s3cret")));
}

TEST(HttpRedirect, IsFollowedFiveTimesAtMost) {
  const TestServer server(answering([](const std::string& request) {
    const int left = std::stoi(target_of(request).substr(1));
    return left == 0 ? ok_answer("done") : redirect(302, "/" + std::to_string(left - 1));
  }));
  HttpClient client;
  EXPECT_EQ(client.send(get(server.url("/5")), server.policy())->body, "done");
  const Result<Response> response = client.send(get(server.url("/6")), server.policy());
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code, ErrorCode::HttpResponse);
  EXPECT_THAT(response.error().message, HasSubstr("more than 5 times"));
}

TEST(HttpRedirect, CanBeReportedInstead) {
  const TestServer server(redirecting("/end"));
  HttpClient client;
  Request request = get(server.url("/302"));
  request.redirects = Redirects::Report;
  const Response response = client.send(request, server.policy()).value();
  EXPECT_EQ(response.status, 302);
  EXPECT_EQ(response.header("location"), "/end");
  EXPECT_EQ(response.body, "gone");
}

TEST(HttpRedirect, KeepsItsBodyFromTheSink) {
  const TestServer server(answering([](const std::string& request) {
    return target_of(request) == "/end" ? ok_answer("end")
                                        : redirect(302, "/end", std::string(200000, 'x'));
  }));
  HttpClient client;
  std::string seen;
  const Result<Response> response =
      client.stream(get(server.url("/")), server.policy(), [&seen](std::string_view bytes) {
        seen += bytes;
        return Result<void>();
      });
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(seen, "end");
  EXPECT_FALSE(response->truncated);
}

TEST(HttpRedirect, WithoutALocationIsTheAnswer) {
  const TestServer server(answering("HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nhm"));
  HttpClient client;
  EXPECT_EQ(client.send(get(server.url()), server.policy())->body, "hm");
}

}  // namespace
}  // namespace goondan::net
