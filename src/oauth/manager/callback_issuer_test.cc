// Callbacks with errors, and of another issuer. Numbers are those of the list of attacks in the
// security notes.
#include "oauth/manager/callback_fixture.h"

namespace goondan::oauth {
namespace {

TEST_F(CallbackTest, Attack5TheIssuerIsExactlyTheOneThatWasAsked) {
  struct Case {
    bool promised;
    Parameters iss;
    bool fine;
  };
  const Case cases[] = {
      {false, {}, true},
      {true, {{"iss", "https://demo.example"}}, true},
      {false, {{"iss", "https://demo.example"}}, true},
      {true, {}, false},
      {true, {{"iss", ""}}, false},
      {false, {{"iss", "https://evil.example"}}, false},
      {false, {{"iss", "https://demo.example/"}}, false},
      {false, {{"iss", "HTTPS://demo.example"}}, false},
      {false, {{"iss", "https://demo.example"}, {"iss", "https://demo.example"}}, false},
      {false, {{"iss", "https://demo.example"}, {"iss", "https://evil.example"}}, false},
  };
  service.issuer = "https://demo.example";
  for (const Case& one : cases) {
    service.promises_issuer = one.promised;
    const AuthorizationRequired required = begin();
    const int before = service.exchanges;
    EXPECT_EQ(come_back(required, one.iss).page, one.fine ? Came::Connected : Came::Failed);
    EXPECT_EQ(service.exchanges - before, one.fine ? 1 : 0);
    EXPECT_EQ(status(required), one.fine ? "completed" : "failed");
  }
}

TEST_F(CallbackTest, Attack5ACodeDoesNotGoToAnotherIssuerThanTheSessionWasBegunWith) {
  service.issuer = "https://demo.example";
  const AuthorizationRequired required = begin();
  service.issuer = "https://evil.example";
  expect_refused(come_back(required), Came::Failed, "invalid_issuer");
  EXPECT_EQ(service.exchanges, 0);
}

TEST_F(CallbackTest, Attack5AnIssuerThatCannotBeCheckedIsRefused) {
  expect_refused(come_back(begin(), {{"iss", "https://demo.example"}}), Came::Failed,
                 "invalid_issuer");
}

TEST_F(CallbackTest, Attack6AnErrorEndsItsOwnSessionOnly) {
  const AuthorizationRequired required = begin();
  expect_refused(manager->complete({{"error", "access_denied"}}, limit()), Came::Unknown,
                 "invalid_state");
  expect_refused(manager->complete({{"error", "access_denied"}, {"state", "x"}}, limit()),
                 Came::Unknown, "session_not_found");
  EXPECT_EQ(status(required), "pending");
  expect_refused(
      manager->complete({{"error", "access_denied"}, {"state", state_of(required)}}, limit()),
      Came::Refused, "access_denied");
  EXPECT_EQ(status(required), "failed");
  EXPECT_EQ(service.exchanges, 0);
}

TEST_F(CallbackTest, Attack6TheIssuerOfAnErrorIsCheckedToo) {
  service.issuer = "https://demo.example";
  service.promises_issuer = true;
  const AuthorizationRequired required = begin();
  expect_refused(
      manager->complete({{"error", "access_denied"}, {"state", state_of(required)}}, limit()),
      Came::Failed, "invalid_issuer");
}

TEST_F(CallbackTest, AnErrorIsRepeatedOnlyIfItIsAWord) {
  const AuthorizationRequired required = begin();
  const CallbackOutcome outcome =
      manager->complete({{"error", "<script>"}, {"state", state_of(required)}}, limit());
  EXPECT_EQ(outcome.problem, "access_denied");
  EXPECT_EQ(come_back(begin(), {{"error", "server_error"}}).problem, "server_error");
}

TEST_F(CallbackTest, ACodeThatIsMissingOrRepeatedEndsTheSession) {
  const AuthorizationRequired none = begin();
  expect_refused(manager->complete({{"state", state_of(none)}}, limit()), Came::Failed, "no_code");
  expect_refused(come_back(begin(), {{"code", "another"}}), Came::Failed, "repeated_parameter");
  EXPECT_EQ(service.exchanges, 0);
}

}  // namespace
}  // namespace goondan::oauth
