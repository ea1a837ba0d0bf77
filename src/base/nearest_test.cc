#include "base/nearest.h"

#include <array>

#include <gtest/gtest.h>

namespace goondan {
namespace {

constexpr std::array<std::string_view, 3> kWords{"command", "timeoutMs", "cwd"};

TEST(Nearest, FindsASlip) {
  EXPECT_EQ(nearest("comand", kWords), "command");
  EXPECT_EQ(nearest("timeoutms", kWords), "timeoutMs");
  EXPECT_EQ(nearest("timeout", kWords), "timeoutMs");
  EXPECT_EQ(nearest("cdw", kWords), "cwd");
}

TEST(Nearest, SaysNothingWhenNothingIsClose) {
  EXPECT_EQ(nearest("colour", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), kWords), "");
}

}  // namespace
}  // namespace goondan
