#include "model/retry.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

using std::chrono::milliseconds;
using Headers = std::vector<net::Header>;

TEST(Retry, IsWorthItForWhatPasses) {
  for (const int status : {408, 409, 429, 500, 502, 503, 504, 529}) {
    EXPECT_EQ(retry_after_status(status, {}), Retry::Yes) << status;
  }
  for (const int status : {301, 400, 401, 402, 403, 404, 405, 413, 418, 422}) {
    EXPECT_EQ(retry_after_status(status, {}), Retry::No) << status;
  }
}

TEST(Retry, FollowsWhatTheServerSaysUnlessItCannotSucceed) {
  EXPECT_EQ(retry_after_status(500, {{"x-should-retry", "false"}}), Retry::No);
  EXPECT_EQ(retry_after_status(418, {{"x-should-retry", "true"}}), Retry::Yes);
  EXPECT_EQ(retry_after_status(401, {{"x-should-retry", "true"}}), Retry::No);
  EXPECT_EQ(retry_after_status(422, {{"x-should-retry", "true"}}), Retry::No);
}

TEST(Retry, ReadsTheWaitInEveryForm) {
  const auto now = *parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT");
  const auto wait = [now](const Headers& headers) { return server_wait(headers, now); };
  EXPECT_EQ(wait({{"retry-after-ms", "250"}, {"retry-after", "9"}}), milliseconds(250));
  EXPECT_EQ(wait({{"retry-after", "2"}}), milliseconds(2000));
  EXPECT_EQ(wait({{"retry-after", " 0.5 "}}), milliseconds(500));
  EXPECT_EQ(wait({{"retry-after", "Sun, 06 Nov 1994 08:49:40 GMT"}}), milliseconds(3000));
  EXPECT_EQ(wait({{"retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"}}), milliseconds(0));
  EXPECT_EQ(wait({{"retry-after", "1e30"}}), milliseconds(kMaxServerWait));
  EXPECT_EQ(wait({{"retry-after", "Sun, 06 Nov 9994 08:49:37 GMT"}}), milliseconds(kMaxServerWait));
  for (const std::string text :
       {"", "soon", "-1", "nan", "inf", "1 s", "Sun, 99 Nov 1994 08:49:40 GMT",
        "Sun, 06 Foo 1994 08:49:40 GMT", "Sun, 06 Nov 1994 08:49:4x GMT"}) {
    EXPECT_FALSE(wait({{"retry-after", text}})) << text;
  }
  EXPECT_FALSE(wait({}));
}

TEST(Retry, WaitsARandomPartOfADoublingTime) {
  const milliseconds first(500);
  EXPECT_EQ(retry_wait(1, first, {}, 1.0), milliseconds(500));
  EXPECT_EQ(retry_wait(2, first, {}, 1.0), milliseconds(1000));
  EXPECT_EQ(retry_wait(3, first, {}, 0.5), milliseconds(1000));
  EXPECT_EQ(retry_wait(4, first, {}, 0.0), milliseconds(0));
  EXPECT_EQ(retry_wait(1000, first, {}, 1.0), kMaxRetryWait);
}

TEST(Retry, WaitsAtLeastAsLongAsTheServerAsks) {
  EXPECT_EQ(retry_wait(1, milliseconds(500), milliseconds(7000), 0.0), milliseconds(7000));
  EXPECT_EQ(retry_wait(9, milliseconds(500), milliseconds(7000), 1.0), milliseconds(8000));
}

}  // namespace
}  // namespace goondan
