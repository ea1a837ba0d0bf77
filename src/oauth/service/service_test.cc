#include "oauth/service.h"

#include <latch>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/service/service_fixture.h"

namespace goondan::oauth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using ShownPage = CallbackOutcome::Page;

// Reads until the port has nobody who listens; a listener that is about to close may still answer.
bool closes(std::uint16_t port) {
  const Deadline limit = Clock::now() + std::chrono::milliseconds(kGenerousMs);
  while (Clock::now() < limit) {
    const RawBrowser browser(port);
    if (!browser.connected()) return true;
    browser.send("x\r\n\r\n");
    static_cast<void>(browser.read_all());
  }
  return false;
}

// REQ: S3 12.5.6 7
TEST_F(ServiceTest, ABrowserThatComesBackCompletesTheSessionAndTheAgentIsToldOnce) {
  const auto service = started(parts());
  const AuthorizationRequired session = begin(*service, request("web"));
  const std::string page = visit(session);
  EXPECT_EQ(status_of(page), "200");
  EXPECT_THAT(page, HasSubstr("You have connected web."));
  EXPECT_THAT(delivered.wait_for(1), ElementsAre(session.session_id));
  EXPECT_EQ(outcomes.wait_for(1).at(0).page, ShownPage::Connected);
  // REQ: SECURITY 4.1 the listener is there only while a session is pending
  EXPECT_TRUE(closes(port_of(session)));
  EXPECT_THAT(service->manager().undelivered("main").value(), testing::IsEmpty());
  // The next one is served by a new listener and a new thread.
  const AuthorizationRequired second = begin(*service, request("web"));
  EXPECT_EQ(status_of(visit(second)), "200");
  EXPECT_THAT(delivered.wait_for(2), ElementsAre(session.session_id, second.session_id));
  EXPECT_EQ(script.exchanges, 2);
}

TEST_F(ServiceTest, ALinkWorksOnceAndAnUnknownStateNever) {
  const auto service = started(parts());
  const AuthorizationRequired first = begin(*service, request("web"));
  const AuthorizationRequired second = begin(*service, request("web"));  // keeps the listener
  const std::uint16_t port = port_of(second);
  EXPECT_EQ(port, port_of(first));
  EXPECT_EQ(status_of(visit(first)), "200");
  EXPECT_THAT(visit(first), HasSubstr("works only once"));
  EXPECT_THAT(ask_raw(port, get_request(port, "/callback/web?code=1&state=2")),
              HasSubstr("not known"));
  EXPECT_THAT(ask_raw(port, get_request(port, "/callback/web?error=access_denied")),
              HasSubstr("not known"));
  EXPECT_EQ(script.exchanges, 1);
  EXPECT_EQ(service->manager().session_status(second.session_id).value(), "pending");
}

TEST_F(ServiceTest, WhoRefusesIsToldSoAndNobodyElseIs) {
  const auto service = started(parts());
  const AuthorizationRequired session = begin(*service, request("web"));
  const std::string state = target_of(session).substr(target_of(session).find("state="));
  const std::string page =
      ask_raw(port_of(session),
              get_request(port_of(session), "/callback/web?error=access_denied&" + state));
  EXPECT_THAT(page, HasSubstr("You did not agree"));
  EXPECT_EQ(outcomes.wait_for(1).at(0).page, ShownPage::Refused);
  EXPECT_EQ(script.exchanges, 0);
  EXPECT_TRUE(closes(port_of(session)));
}

TEST_F(ServiceTest, OtherBrowsersAreAnsweredWhileAnExchangeTakesItsTime) {
  std::latch asked(1);
  std::latch go_on(1);
  script.exchange = [&](const Limit&) -> Answer<Tokens> {
    asked.count_down();
    go_on.wait();
    return ProviderScript::tokens();
  };
  const auto service = started(parts());
  const AuthorizationRequired session = begin(*service, request("web"));
  const std::uint16_t port = port_of(session);
  const RawBrowser browser(port);
  ASSERT_TRUE(browser.send(get_request(port, target_of(session))));
  asked.wait();
  EXPECT_EQ(status_of(ask_raw(port, get_request(port, "/"))), "404");
  go_on.count_down();
  EXPECT_EQ(status_of(browser.read_all()), "200");
  EXPECT_EQ(script.exchanges, 1);
}

TEST_F(ServiceTest, AStopEndsAnExchangeThatIsUnderWay) {
  std::latch asked(1);
  script.exchange = [&](const Limit& until) -> Answer<Tokens> {
    asked.count_down();
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait(lock, until.stop, [] { return false; });
    return ProviderError{.refusal = Refusal::Retry};
  };
  const auto service = started(parts());
  const AuthorizationRequired session = begin(*service, request("web"));
  const RawBrowser browser(port_of(session));
  ASSERT_TRUE(browser.send(get_request(port_of(session), target_of(session))));
  asked.wait();
  service->stop();
  EXPECT_THAT(browser.read_all(), HasSubstr("HTTP/1.1 "));
  const TokenResult after = service->manager().begin_session(request("web"), limit());
  EXPECT_TRUE(std::holds_alternative<TokenError>(after));
}

TEST_F(ServiceTest, ALaterProcessListensForTheSessionsOfTheEarlier) {
  AuthorizationRequired session;
  {
    const auto earlier = started(parts());
    session = begin(*earlier, request("web"));
  }
  const auto later = started(parts());
  // It may have to wait until the port is free again.
  const Deadline limit = Clock::now() + std::chrono::milliseconds(kGenerousMs);
  while (!RawBrowser(port_of(session)).connected() && Clock::now() < limit) {
  }
  EXPECT_EQ(status_of(visit(session)), "200");
  EXPECT_THAT(delivered.wait_for(1), ElementsAre(session.session_id));
}

TEST_F(ServiceTest, WhatCouldNotBeDeliveredIsDeliveredByALaterProcess) {
  AuthorizationRequired session;
  {
    Heard<std::string> tried;
    Service::Parts silent = parts();
    silent.deliver = [&tried](const GrantedEvent& event) -> Result<void> {
      tried.add(event.session_id);
      return Error{.code = ErrorCode::Ipc, .message = "nobody is there"};
    };
    const auto earlier = started(std::move(silent));
    session = begin(*earlier, request("web"));
    EXPECT_EQ(status_of(visit(session)), "200");
    EXPECT_EQ(tried.wait_for(2).size(), 2U);  // and tried again
  }
  {
    Service::Parts other = parts();
    other.ours = [](const Resume&) { return false; };
    const auto not_concerned = started(std::move(other));
  }
  const auto later = started(parts());
  EXPECT_THAT(delivered.wait_for(1), ElementsAre(session.session_id));
}

TEST_F(ServiceTest, ADeviceCodeIsPolledUntilThePersonHasDecided) {
  script.poll = [](int times) -> Answer<Tokens> {
    if (times == 1) return ProviderError{.refusal = Refusal::Pending};
    return ProviderScript::tokens();
  };
  const auto service = started(parts());
  const AuthorizationRequired session = begin(*service, request("screen"));
  EXPECT_EQ(session.user_code, "ABCD");
  EXPECT_THAT(delivered.wait_for(1), ElementsAre(session.session_id));
  EXPECT_EQ(outcomes.wait_for(1).at(0).page, ShownPage::Connected);
  EXPECT_EQ(script.polls, 2);
}

TEST_F(ServiceTest, ACommandHearsOfItsSessionAlsoIfItEndsElsewhere) {
  Service::Parts command = parts();
  command.ours = {};
  command.deliver = {};
  const auto service = started(std::move(command));
  TokenRequest wish = request("web");
  wish.resume.reset();
  const AuthorizationRequired session = begin(*service, wish);
  // Whoever is answered knows that the service has looked at the sessions.
  EXPECT_EQ(status_of(ask_raw(port_of(session), get_request(port_of(session), "/"))), "404");
  Manager elsewhere(parts().manager);
  const std::string target = target_of(session);
  const std::string state = target.substr(target.find("state=") + 6);
  EXPECT_EQ(elsewhere.complete({{"code", "c"}, {"state", state}}, limit()).page,
            ShownPage::Connected);
  const CallbackOutcome outcome = outcomes.wait_for(1).at(0);
  EXPECT_EQ(outcome.page, ShownPage::Connected);
  EXPECT_EQ(outcome.session_id, session.session_id);
}

TEST_F(ServiceTest, NothingRunsWhereNothingIsPending) {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  };
  const auto before = threads();
  const auto service = started(parts());
  EXPECT_EQ(threads(), before);
}

}  // namespace
}  // namespace goondan::oauth
