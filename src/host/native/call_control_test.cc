#include "host/native/call_control.h"

#include <thread>

#include <gtest/gtest.h>

namespace goondan {
namespace {

TEST(CallControl, StopsTheCallThatIsNamed) {
  CallControl control;
  const std::stop_token first = control.begin(1);
  control.cancel(2);
  EXPECT_FALSE(first.stop_requested());
  control.cancel(1);
  EXPECT_TRUE(first.stop_requested());
}

TEST(CallControl, RemembersACancellationThatCameBeforeItsCall) {
  CallControl control;
  control.cancel(1);
  EXPECT_TRUE(control.begin(1).stop_requested());
  control.end();
  EXPECT_FALSE(control.begin(2).stop_requested());
}

TEST(CallControl, HandsAnswersToWhoeverAsked) {
  CallControl control;
  (void)control.begin(1);
  const std::uint64_t first = control.next_request();
  const std::uint64_t second = control.next_request();
  std::jthread other([&control, first, second] {
    control.answer(second, {.status = GDN_REPLY_OK, .json = "2"});
    control.answer(first, {.status = GDN_REPLY_OK, .json = "1"});
    control.answer(999, {.status = GDN_REPLY_OK, .json = "nobody asked"});
  });
  EXPECT_EQ(control.wait_for_answer(first)->json, "1");
  EXPECT_EQ(control.wait_for_answer(second)->json, "2");
}

TEST(CallControl, LetsGoOfARequestWhenTheCallIsCancelled) {
  CallControl control;
  (void)control.begin(1);
  const std::uint64_t request = control.next_request();
  std::jthread other([&control] { control.cancel(1); });
  EXPECT_FALSE(control.wait_for_answer(request).has_value());
}

}  // namespace
}  // namespace goondan
