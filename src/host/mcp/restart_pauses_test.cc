#include "host/mcp/restart_pauses.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

using std::chrono::seconds;

TEST(McpRestartPauses, FiveQuickStartsThenGrowingPauses) {
  RestartPauses pauses;
  Deadline now = Deadline{} + seconds(1000);
  std::vector<long> waits;
  for (int i = 0; i < 16; ++i) {
    pauses.starting(now);
    pauses.ended(now);
    waits.push_back(std::chrono::duration_cast<seconds>(pauses.next() - now).count());
    now = pauses.next();
  }
  EXPECT_EQ(waits,
            (std::vector<long>{0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300}));
}

TEST(McpRestartPauses, AServerThatHadLastedBeginsAnew) {
  RestartPauses pauses;
  Deadline now = Deadline{} + seconds(1000);
  for (int i = 0; i < 10; ++i) {
    pauses.starting(now);
    pauses.ended(now);
    now = pauses.next();
  }
  pauses.starting(now);
  now += kMcpLastedLong;
  pauses.ended(now);
  EXPECT_EQ(pauses.next(), now);
}

}  // namespace
}  // namespace goondan
