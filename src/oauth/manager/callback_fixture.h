// What the tests of callbacks share.
#pragma once

#include <string_view>

#include "oauth/manager/manager_fixture.h"

namespace goondan::oauth {

using Came = CallbackOutcome::Page;

class CallbackTest : public ManagerTest {
 protected:
  void expect_refused(const CallbackOutcome& outcome, Came page, std::string_view problem) {
    EXPECT_EQ(outcome.page, page) << outcome.problem;
    EXPECT_EQ(outcome.problem, problem);
    EXPECT_FALSE(outcome.granted.has_value());
    EXPECT_FALSE(grant("team").has_value());
    EXPECT_FALSE(grant("person").has_value());
  }
};

}  // namespace goondan::oauth
