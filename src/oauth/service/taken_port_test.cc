#include "oauth/service/service_fixture.h"

namespace goondan::oauth {
namespace {

TEST_F(ServiceTest, WhoeverBeginsASessionHearsThatAnotherListensWhereItsBrowserGoes) {
  const LoopbackSocket another = std::move(listen_on_loopback(0)).value();
  Service::Parts made = parts();
  made.manager.apps.front().base_url = "http://127.0.0.1:" + std::to_string(another.port);
  std::vector<ErrorCode> taken;
  made.on_taken_port = [&taken](const Error& error) { taken.push_back(error.code); };
  const auto service = started(std::move(made));
  begin(*service, request("web"));
  EXPECT_EQ(taken, std::vector<ErrorCode>{ErrorCode::AlreadyRunning});
}

TEST_F(ServiceTest, NobodyHearsOfAPortThatWasFree) {
  Service::Parts made = parts();
  made.on_taken_port = [](const Error& error) { ADD_FAILURE() << error.message; };
  const auto service = started(std::move(made));
  begin(*service, request("web"));
  begin(*service, request("web", "planner-2"));
}

}  // namespace
}  // namespace goondan::oauth
