#include "builtin/http_fetch/header_secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builtin/http_fetch/http_fetch.h"
#include "builtin/messaging/test_api.h"

namespace goondan::builtin::http_fetch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(HttpFetchSecrets, AreWhatHeadersForSecretsHold) {  // REQ: BLT-5
  const std::vector<net::Header> headers{{"Authorization", "Bearer  tok-1234567 "},
                                         {"X-Api-Key", "key-12345678"},
                                         {"private-token", "glpat-abcdef12"},
                                         {"COOKIE", "theme=dark; session=s3ss10n-42; plain-c00kie"},
                                         {"Accept-Language", "en-GB,en;q=0.9"},
                                         {"X-Request-Id", "req-12345678"}};
  EXPECT_THAT(header_secrets(headers), ElementsAre("tok-1234567", "key-12345678", "glpat-abcdef12",
                                                   "s3ss10n-42", "plain-c00kie"));
}

TEST(HttpFetchSecrets, AreNotWordsThatTurnUpAnywhere) {
  const std::vector<net::Header> headers{
      {"Authorization", "short1"}, {"X-Api-Key", "YOUR_API_KEY_1"}, {"X-Auth-Token", ""}};
  EXPECT_THAT(header_secrets(headers), IsEmpty());
}

TEST(HttpFetchSecrets, AreBoundedInNumber) {
  std::string cookies;
  for (int i = 0; i < 100; ++i)
    cookies += "c=value-number-" + std::to_string(i) + ";";
  const std::vector<net::Header> headers{{"Cookie", cookies}};
  EXPECT_THAT(header_secrets(headers), SizeIs(kMaxHeaderSecrets));
}

TEST(HttpFetchSecrets, AreKnownToTheRedactorBeforeTheRequest) {  // REQ: BLT-5
  messaging::TestApi api({messaging::answer("200 OK", "you sent tok-1234567")});
  const Handler get = definition().exports[0].handle;
  const Result<Json> page = api.call(
      get, {{"url", api.base() + "/"}, {"headers", {{"Authorization", "Bearer tok-1234567"}}}});
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(api.services.redactor->finds_in("you sent tok-1234567"));
}

}  // namespace
}  // namespace goondan::builtin::http_fetch
