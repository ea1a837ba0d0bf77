#include "os/signal_name.h"

#include <signal.h>

#include <gtest/gtest.h>

namespace goondan::os {
namespace {

TEST(SignalName, SaysWhatPeopleSay) {
  EXPECT_EQ(signal_name(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(signal_name(SIGABRT), "SIGABRT");
  EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
}

TEST(SignalName, HasAWordForEveryNumber) {
  EXPECT_EQ(signal_name(SIGRTMIN + 2), "SIGRTMIN+2");
  EXPECT_EQ(signal_name(0), "signal 0");
  EXPECT_EQ(signal_name(-7), "signal -7");
  EXPECT_EQ(signal_name(1000), "signal 1000");
}

}  // namespace
}  // namespace goondan::os
