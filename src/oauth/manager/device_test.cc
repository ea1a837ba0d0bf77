// Device codes: polling for a person who enters a code elsewhere.
#include <future>
#include <latch>

#include "oauth/manager/manager_fixture.h"

namespace goondan::oauth {
namespace {

using Came = CallbackOutcome::Page;

class DeviceTest : public ManagerTest {
 protected:
  AuthorizationRequired begin_device() { return begin(request("screen")); }
  Came poll(const AuthorizationRequired& required) {
    return manager->poll(required.session_id, limit()).page;
  }
};

TEST_F(DeviceTest, ThePersonGetsTheCodeAndWhereToEnterIt) {
  const TokenResult result = ask(request("screen"));
  const Json json = to_json(result);
  EXPECT_EQ(json.at("userCode"), "WDJB-MJHT");
  EXPECT_EQ(json.at("verificationUri"), "https://demo.example/device");
  EXPECT_EQ(json.at("authorizationUrl"), "https://demo.example/device");
  EXPECT_EQ(json.at("message"),
            "Connecting to demo needs your consent. Open https://demo.example/device, enter the "
            "code WDJB-MJHT, agree, and the work goes on.");
  EXPECT_EQ(redactor.redact("device-code-secret"), "[redacted]");
  EXPECT_EQ(said(ask(request("screen"))), "consent");
  EXPECT_EQ(service.devices, 1) << "the same session";
}

TEST_F(DeviceTest, NobodyAsksBeforeTheTimeHasCome) {
  const AuthorizationRequired required = begin_device();
  EXPECT_EQ(poll(required), Came::Pending);
  EXPECT_EQ(service.polls, 0);
  now += 5;
  service.on_poll = []() -> Answer<Tokens> { return refusal(Refusal::Pending); };
  EXPECT_EQ(poll(required), Came::Pending);
  EXPECT_EQ(poll(required), Came::Pending);
  EXPECT_EQ(service.polls, 1);
  now += 5;
  service.on_poll = [] { return tokens("access-of-poll"); };
  const CallbackOutcome outcome = manager->poll(required.session_id, limit());
  EXPECT_EQ(outcome.page, Came::Connected);
  ASSERT_TRUE(outcome.granted.has_value());
  EXPECT_EQ(outcome.granted->payload.at("type"), "auth.granted");
  EXPECT_EQ(said(ask(request("screen"))), "ready access-of-poll");
  EXPECT_EQ(grant("screen")->flow, OAuthAppResource::Flow::DeviceCode);
  EXPECT_EQ(poll(required), Came::Used);
}

TEST_F(DeviceTest, TheNextPollIsOnDiskBeforeTheProviderIsAsked) {
  const AuthorizationRequired required = begin_device();
  now += 5;
  service.on_poll = [&]() -> Answer<Tokens> {
    EXPECT_EQ(session(required.session_id).device->next_poll_at, now + 5);
    return refusal(Refusal::Pending);
  };
  poll(required);
  EXPECT_EQ(service.polls, 1);
}

TEST_F(DeviceTest, SlowDownAddsFiveSecondsForGood) {
  const AuthorizationRequired required = begin_device();
  now += 5;
  service.on_poll = []() -> Answer<Tokens> { return refusal(Refusal::SlowDown); };
  poll(required);
  service.on_poll = []() -> Answer<Tokens> { return refusal(Refusal::Pending); };
  now += 9;
  poll(required);
  EXPECT_EQ(service.polls, 1);
  now += 1;
  poll(required);
  now += 9;
  poll(required);
  EXPECT_EQ(service.polls, 2);
  EXPECT_EQ(session(required.session_id).device->interval, 10);
  EXPECT_EQ(manager->pending_sessions().value().front().next_poll_at, now + 1);
}

TEST_F(DeviceTest, TheEndIsTheProvidersToSay) {
  const struct {
    Refusal refusal;
    Came page;
    const char* status;
  } cases[] = {{Refusal::Denied, Came::Refused, "failed"},
               {Refusal::Expired, Came::Expired, "expired"},
               {Refusal::InvalidGrant, Came::Failed, "failed"},
               {Refusal::Broken, Came::Failed, "failed"},
               {Refusal::Retry, Came::Pending, "pending"}};
  for (const auto& one : cases) {
    const AuthorizationRequired required = begin_device();
    now += 5;
    service.on_poll = [&one]() -> Answer<Tokens> { return refusal(one.refusal); };
    EXPECT_EQ(poll(required), one.page);
    EXPECT_EQ(status(required), one.status);
    EXPECT_FALSE(grant("screen").has_value());
  }
}

TEST_F(DeviceTest, ACodeThatIsTooOldIsNotAskedFor) {
  const AuthorizationRequired required = begin_device();
  now += 600;
  EXPECT_EQ(poll(required), Came::Expired);
  EXPECT_EQ(status(required), "expired");
  EXPECT_EQ(service.polls, 0);
  EXPECT_EQ(manager->poll("as-000000000000", limit()).page, Came::Unknown);
  EXPECT_EQ(poll(begin()), Came::Unknown) << "a session with a browser is not polled";
}

TEST_F(DeviceTest, ManyWhoPollAtOnceAskOnce) {
  const AuthorizationRequired required = begin_device();
  now += 5;
  const auto second_store = open_store();
  const auto second = make_manager(*second_store);
  std::latch together(8);
  std::vector<std::future<Came>> pages;
  for (int i = 0; i < 8; ++i) {
    Manager& target = i % 2 == 0 ? *manager : *second;
    pages.push_back(std::async(std::launch::async, [&] {
      together.arrive_and_wait();
      return target.poll(required.session_id, limit()).page;
    }));
  }
  int connected = 0;
  for (auto& page : pages)
    connected += page.get() == Came::Connected ? 1 : 0;
  EXPECT_EQ(connected, 1);
  EXPECT_EQ(service.polls, 1);
}

}  // namespace
}  // namespace goondan::oauth
