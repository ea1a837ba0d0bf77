#include "net/resolver.h"

#include <atomic>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/test_name_server.h"
#include "net/test_server.h"

namespace goondan::net {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr std::chrono::seconds kLong{60};

IpAddress address(std::string_view text) {
  return IpAddress::parse(text).value();
}

Result<std::vector<IpAddress>> resolve(const TestNameServer& server, const std::string& host,
                                       Deadline deadline = Clock::now() + kLong) {
  const StopSignal never;
  return Resolver(server.options()).resolve(host, {.deadline = deadline, .stop = never});
}

TestNameServer::Answer always(TestNameServer::Addresses addresses) {
  return [addresses = std::move(addresses)](const std::string&) { return addresses; };
}

TestNameServer::Answer silence() {
  return [](const std::string&) { return std::nullopt; };
}

TEST(Resolver, FindsTheAddressesOfBothFamilies) {
  const TestNameServer server(
      always({address("192.0.2.1"), address("192.0.2.2"), address("2001:db8::1")}));
  EXPECT_THAT(
      resolve(server, "both.example").value(),
      UnorderedElementsAre(address("192.0.2.1"), address("192.0.2.2"), address("2001:db8::1")));
}

TEST(Resolver, IsContentWithOneFamily) {
  const TestNameServer only_v4(always({address("192.0.2.1")}));
  EXPECT_THAT(resolve(only_v4, "four.example").value(), UnorderedElementsAre(address("192.0.2.1")));
  const TestNameServer only_v6(always({address("2001:db8::1")}));
  EXPECT_THAT(resolve(only_v6, "six.example").value(),
              UnorderedElementsAre(address("2001:db8::1")));
}

TEST(Resolver, SaysThatThereIsNoSuchName) {
  const TestNameServer server(always({}));
  const auto found = resolve(server, "none.example");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::Network);
  EXPECT_THAT(found.error().message, HasSubstr("no host named 'none.example'"));
}

TEST(Resolver, LooksIntoTheHostsFileFirst) {
  std::ifstream file("/etc/hosts");
  const std::string hosts(std::istreambuf_iterator<char>(file), {});
  if (!hosts.contains("localhost")) GTEST_SKIP() << "there is no localhost in /etc/hosts";
  const TestNameServer server(always({address("192.0.2.1")}));
  const auto found = resolve(server, "localhost");
  ASSERT_TRUE(found.ok());
  for (const IpAddress& one : *found) {
    EXPECT_THAT(one.text(), testing::AnyOf("127.0.0.1", "::1"));
  }
  EXPECT_EQ(server.queries(), 0);
}

TEST(Resolver, AsksNobodyForThisMachine) {
  const TestNameServer server(always({address("192.0.2.1")}));
  for (const char* name : {"localhost", "app.localhost"}) {
    const auto found = resolve(server, name);
    ASSERT_TRUE(found.ok());
    for (const IpAddress& one : *found) {
      EXPECT_THAT(one.text(), testing::AnyOf("127.0.0.1", "::1"));
    }
  }
  EXPECT_EQ(server.queries(), 0);
}

// REQ: BLT-4
TEST(Resolver, RefusesANameWithTooManyAddresses) {
  TestNameServer::Addresses many(500, address("192.0.2.1"));
  const TestNameServer server(always(many));
  const auto found = resolve(server, "many.example");
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.error().message, HasSubstr("more than 64 addresses"));
  many.resize(kMaxAddresses);
  const TestNameServer just_enough(always(many));
  EXPECT_EQ(resolve(just_enough, "many.example")->size(), kMaxAddresses);
}

// REQ: BLT-4
TEST(Resolver, KeepsTheDeadlineWithASilentServer) {
  const TestNameServer server(silence());
  const Deadline deadline = Clock::now() + std::chrono::milliseconds(30);
  const auto found = resolve(server, "silent.example", deadline);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::NetworkTimeout);
  EXPECT_GE(Clock::now(), deadline);
}

TEST(Resolver, StopsWhenAskedTo) {
  std::stop_source source;
  const TestNameServer server([&source](const std::string&) {
    source.request_stop();
    return std::nullopt;
  });
  const StopSignal stop(source.get_token());
  const auto found = Resolver(server.options())
                         .resolve("silent.example", {.deadline = Deadline::max(), .stop = stop});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::ToolCancelled);
}

// REQ: BLT-4
TEST(Resolver, LetsManyCallersWaitForASilentServerWithoutThreadsOfItsOwn) {
  const TestNameServer server(silence());
  HttpClient client(server.options());
  std::vector<std::thread> callers;
  std::atomic<int> timed_out = 0;
  for (int i = 0; i < 200; ++i) {
    callers.emplace_back([&client, &timed_out] {
      const auto response = client.send({.url = Url::parse("http://silent.example/").value(),
                                         .deadline = Clock::now() + std::chrono::milliseconds(100)},
                                        HostPolicy());
      if (!response.ok() && response.error().code == ErrorCode::NetworkTimeout) ++timed_out;
    });
  }
  for (auto& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(timed_out, 200);
}

Request get_name(const TestServer& server, std::string_view name) {
  return get(Url::parse("http://" + std::string(name) + ":" + std::to_string(server.port()) + "/")
                 .value());
}

// REQ: BLT-4
TEST(HttpClientNames, RefusesANameWithOneLocalAddressBeforeAnythingIsSent) {
  const TestServer server(answering(ok_answer("")));
  for (const std::string_view bad : {"127.0.0.1", "::ffff:127.0.0.1", "10.0.0.1", "::1"}) {
    const TestNameServer names(always({address("93.184.216.34"), address(bad)}));
    HttpClient client(names.options());
    const auto response = client.send(get_name(server, "mixed.example"), HostPolicy());
    ASSERT_FALSE(response.ok()) << bad;
    EXPECT_EQ(response.error().code, ErrorCode::HostNotAllowed) << bad;
  }
  EXPECT_EQ(server.accepted(), 0);
}

// REQ: BLT-4
TEST(HttpClientNames, JudgesTheAddressOfAKeptConnectionByThePolicyOfTheRequest) {
  const TestServer server(answering(ok_answer("hello")));
  const TestNameServer names(always({address("127.0.0.1")}));
  HttpClient client(names.options());
  const Request request = get_name(server, "inner.example");
  const HostPolicy allowed({AllowedHost{.host = "inner.example", .port = server.port()}});
  EXPECT_EQ(client.send(request, allowed)->body, "hello");
  EXPECT_EQ(client.send(request, HostPolicy()).error().code, ErrorCode::HostNotAllowed);
  EXPECT_EQ(client.send(request, allowed)->body, "hello");
}

// REQ: BLT-4
TEST(HttpClientNames, ConnectsToTheJudgedAddressAndAsksNoSecondTime) {
  const TestServer server(answering(ok_answer("hello", "Connection: close\r\n")));
  const TestNameServer names(always({address("127.0.0.1")}));
  HttpClient client(names.options());
  const HostPolicy allowed({AllowedHost{.host = "pinned.example", .port = server.port()}});
  EXPECT_EQ(client.send(get_name(server, "pinned.example"), allowed)->body, "hello");
  EXPECT_EQ(names.queries(), 2) << "one for each family";
}

TEST(HttpClientNames, TriesTheNextAddressWhenOneRefuses) {
  const TestServer server(answering(ok_answer("hello")));
  // Nothing listens on the other addresses of the loopback network.
  const TestNameServer names(
      always({address("::1"), address("127.0.0.2"), address("127.0.0.1"), address("127.0.0.3")}));
  HttpClient client(names.options());
  const HostPolicy allowed({AllowedHost{.host = "several.example", .port = server.port()}});
  EXPECT_EQ(client.send(get_name(server, "several.example"), allowed)->body, "hello");
}

}  // namespace
}  // namespace goondan::net
