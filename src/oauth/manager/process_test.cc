// Several processes with one store, and processes that are killed. Numbers are those of the list of
// attacks in the security notes.
#include <set>

#include "oauth/manager/process_fixture.h"

namespace goondan::oauth {
namespace {

// REQ: OAUTH-5
TEST_F(ProcessTest, Attack14EightProcessesAtOneExpiredTokenRefreshItOnce) {
  RotatingServer server;
  start_over(server.port());
  constexpr int kProcesses = 8;
  Pipe start;
  std::vector<Pipe> outputs(kProcesses);
  std::vector<os::Child> children;
  for (Pipe& output : outputs) {
    children.push_back(spawn({"token", folder(), std::to_string(server.port())}, start.read.get(),
                             output.write.get()));
  }
  for (Pipe& output : outputs) {
    char byte = 0;
    ASSERT_EQ(::read(output.read.get(), &byte, 1), 1);
  }
  start.write.reset();
  for (Pipe& output : outputs)
    EXPECT_EQ(output.read_all(), "eady\nready AT2\n");
  EXPECT_EQ(server.refreshes, 1);
}

// Before each call that changes the disk, until one child comes to its end.
TEST_F(ProcessTest, Attack16KilledBetweenAnswerAndWriteTheStoreIsWholeAndNobodyAsksForEver) {
  std::set<std::string> seen;
  bool killed = true;
  for (int kill_at = 1; killed; ++kill_at) {
    SCOPED_TRACE(kill_at);
    RotatingServer server;
    start_over(server.port());
    const std::string port = std::to_string(server.port());
    killed = killed_child({"refresh", folder(), port, std::to_string(kill_at)});
    EXPECT_EQ(server.refreshes, 1);
    const std::string says = child_says({"token", folder(), port});
    // Either the new token was stored, or the old one is there, is found to be spent, and somebody
    // is asked.
    EXPECT_TRUE(says == "ready\nready AT2\n" || says == "ready\nconsent\n") << says;
    seen.insert(says);
    const int refreshes = server.refreshes;
    EXPECT_LE(refreshes, 2);
    EXPECT_EQ(child_says({"token", folder(), port}), says);
    EXPECT_EQ(server.refreshes, refreshes);
    ASSERT_LT(kill_at, 100);
  }
  EXPECT_EQ(seen.size(), 2U) << "both must have happened";
}

struct NoPlace : RedirectPlace {
  Result<std::string> redirect_uri(const App&) override {
    return std::string("http://127.0.0.1:1/callback");
  }
  void sessions_changed() override {}
};

class CallbackProcessTest : public ProcessTest {
 protected:
  void begin_again() {
    manager.reset();
    server = std::make_unique<RotatingServer>();
    start_over(server->port());
    ASSERT_TRUE(store->remove(grant_name()).ok());
    manager = std::make_unique<Manager>(Manager::Parts{.apps = {loopback_app(server->port())},
                                                       .store = *store,
                                                       .http = http,
                                                       .policy = server->policy(),
                                                       .redirects = &place,
                                                       .redactor = nullptr,
                                                       .now = {},
                                                       .provider = {}});
    TokenRequest request;
    request.app = "loopback";
    request.auth = loopback_auth();
    request.resume = Resume{.workspace = "w"};
    const auto required =
        std::get<AuthorizationRequired>(manager->get_access_token(request, limit()));
    const std::string url = required.authorization_url + "&";
    const std::size_t at = url.find("state=") + 6;
    state = url.substr(at, url.find('&', at) - at);
    session_id = required.session_id;
  }

  static Limit limit() { return {.deadline = Clock::now() + std::chrono::seconds(60), .stop = {}}; }

  NoPlace place;
  net::HttpClient http;
  std::unique_ptr<RotatingServer> server;
  std::unique_ptr<Manager> manager;
  std::string state;
  std::string session_id;
};

TEST_F(CallbackProcessTest, Attack16KilledDuringACallbackTheCodeIsSentOnceAtMost) {
  std::set<std::string> seen;
  bool killed = true;
  for (int kill_at = 1; killed; ++kill_at) {
    SCOPED_TRACE(kill_at);
    begin_again();
    killed = killed_child(
        {"exchange", folder(), std::to_string(server->port()), std::to_string(kill_at), state});
    const CallbackOutcome again =
        manager->complete({{"state", state}, {"code", "the-code"}}, limit());
    EXPECT_LE(server->exchanges, 1);
    const bool granted = store->get(grant_name()).value().has_value();
    const std::string status = manager->session_status(session_id).value();
    EXPECT_EQ(status, granted ? "completed" : "failed");
    EXPECT_EQ(manager->undelivered("w").value().size(), granted ? 1U : 0U);
    seen.insert((again.page == CallbackOutcome::Page::Used ? "used, " : "exchanged, ") + status);
    ASSERT_LT(kill_at, 100);
  }
  EXPECT_EQ(seen,
            (std::set<std::string>{"exchanged, completed", "used, completed", "used, failed"}));
}

}  // namespace
}  // namespace goondan::oauth
