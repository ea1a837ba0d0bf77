#include "policy/environment.h"

namespace goondan {
namespace {

// REQ: DEC-4
TEST(Environment, KnowsSecretsByTheirNames) {
  for (const char* name :
       {"SLACK_BOT_TOKEN", "client_secret", "PGPASSWORD", "MYSQL_PWD", "OPENAI_API_KEY",
        "AWS_ACCESS_KEY_ID", "GH_PAT", "SENTRY_DSN", "GOOGLE_APPLICATION_CREDENTIALS", "STORE_KEY"})
    EXPECT_TRUE(looks_secret(name, "x")) << name;
  for (const char* name : {"PATH", "HOME", "PWD", "OLDPWD", "LANG", "SSH_AUTH_SOCK", "KEYBOARD",
                           "XAUTHORITY", "MONKEY", "PASSENGERS"})
    EXPECT_FALSE(looks_secret(name, "x")) << name;
}

TEST(Environment, KnowsAPasswordInsideAUrl) {
  EXPECT_TRUE(looks_secret("DATABASE_URL", "postgres://me:pw@db/x"));
  EXPECT_FALSE(looks_secret("DATABASE_URL", "postgres://me@db/x"));
  EXPECT_FALSE(looks_secret("HOMEPAGE", "https://example.com/a:b@c"));
}

TEST(Environment, PassesOnWhatTheOperatorNames) {
  const std::vector<std::string> entries{"A=1", "GITHUB_TOKEN=x", "SLACK_TOKEN=y", "ODD"};
  const std::vector<std::string> pass{"GITHUB_TOKEN"};
  EXPECT_EQ(without_secrets(entries, pass),
            (std::vector<std::string>{"A=1", "GITHUB_TOKEN=x", "ODD"}));
}

}  // namespace
}  // namespace goondan
