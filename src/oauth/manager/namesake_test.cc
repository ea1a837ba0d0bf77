// All bundles share one store: what an application was given must not reach another of its name.
#include "oauth/manager/manager_fixture.h"

namespace goondan::oauth {
namespace {

class NamesakeTest : public ManagerTest {
 protected:
  // The manager of another bundle, whose `team` and `screen` are changed.
  template <class Change>
  std::unique_ptr<Manager> other_manager(const Change& change) {
    std::vector<App> apps{app("team", OAuthAppResource::SubjectMode::Global), device_app()};
    for (App& one : apps)
      change(one);
    return std::make_unique<Manager>(Manager::Parts{
        .apps = std::move(apps),
        .store = *store,
        .http = http,
        .policy = {},
        .redirects = &place,
        .redactor = &redactor,
        .now = [this] { return now.load(); },
        .provider = [this](const App&) { return std::make_unique<FakeProvider>(elsewhere); }});
  }

  std::unique_ptr<Manager> other_client() {
    return other_manager([](App& app) { app.client_id = "another"; });
  }

  FakeService elsewhere;
};

TEST_F(NamesakeTest, ATokenIsForTheClientTheServiceAndTheResourceItWasGivenFor) {
  put_grant(3600);
  const auto same = other_manager([](App& app) { app.scopes.emplace_back("more"); });
  TokenRequest wish = request();
  wish.scopes = {{"read"}};
  EXPECT_EQ(said(same->get_access_token(wish, limit())), "ready old-access-token");
  const auto others = {
      other_client(),
      other_manager([](App& app) { app.endpoints.token = "https://evil.example/token"; }),
      other_manager([](App& app) { app.endpoints.issuer = "https://evil.example"; }),
      other_manager([](App& app) { app.resource = "https://api.example"; }),
  };
  for (const auto& other : others) {
    EXPECT_EQ(said(other->get_access_token(wish, limit())), "consent");
    EXPECT_EQ(other->grants().value().front().state, GrantInfo::State::OfAnother);
  }
}

TEST_F(NamesakeTest, ARefreshTokenGoesNowhereElse) {
  put_grant(-10);
  EXPECT_EQ(said(other_client()->get_access_token(request(), limit())), "consent");
  EXPECT_TRUE(elsewhere.untouched());
  EXPECT_EQ(said(ask()), "ready access-of-refresh");
}

TEST_F(NamesakeTest, LogoutForgetsButTellsNobodyElse) {
  put_grant(3600);
  const Manager::Logout logout = other_client()->logout("team", "demo:team:T1", limit()).value();
  EXPECT_FALSE(logout.revoked_at_provider);
  EXPECT_NE(logout.problem, "");
  EXPECT_TRUE(elsewhere.revocations.empty());
  EXPECT_FALSE(grant().has_value());
}

TEST_F(NamesakeTest, ACodeGoesOnlyToWhomTheSessionWasBegunWith) {
  const AuthorizationRequired required = begin();
  const CallbackOutcome outcome = other_client()->complete(
      {{"state", state_of(required)}, {"code", "the-code-of-the-browser"}}, limit());
  EXPECT_EQ(outcome.problem, "oauthAppNotFound");
  EXPECT_TRUE(elsewhere.untouched());
  EXPECT_EQ(come_back(required).page, CallbackOutcome::Page::Connected);
}

TEST_F(NamesakeTest, NeitherDoesADeviceCodeOrALink) {
  const AuthorizationRequired required = begin(request("screen"));
  now += 60;
  other_client()->poll(required.session_id, limit());
  EXPECT_EQ(elsewhere.polls, 0);
  const TokenResult link = ask();
  const TokenResult other = other_client()->get_access_token(request(), limit());
  EXPECT_NE(std::get<AuthorizationRequired>(link).session_id,
            std::get<AuthorizationRequired>(other).session_id);
}

TEST_F(NamesakeTest, ConsentToTheOtherReplacesTheGrant) {
  put_grant(3600);
  const auto other = other_client();
  const TokenResult link = other->get_access_token(request(), limit());
  const auto& required = std::get<AuthorizationRequired>(link);
  other->complete({{"state", state_of(required)}, {"code", "c"}}, limit());
  EXPECT_EQ(said(other->get_access_token(request(), limit())), "ready access-of-exchange");
  EXPECT_EQ(said(ask()), "consent");
  EXPECT_EQ(service.refreshes, 0);
}

}  // namespace
}  // namespace goondan::oauth
