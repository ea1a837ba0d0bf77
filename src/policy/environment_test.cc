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

// REQ: BLT-5
TEST(Environment, MasksOnlyWhatOrdinaryTextDoesNotHold) {
  for (const char* secret : {"s3cretvalue", "correct-horse", "Tr0ubador", "correcthorsebattery",
                             "1234567890123456", "/wJalrXUtnFEMI0K7MDENGbPxRfiCYzEXAMPLEKEY"})
    EXPECT_TRUE(worth_masking(secret)) << secret;
  for (const char* word :
       {"", "short1", "postgres", "development", "changeme", "password", "placeholder", "12345678",
        "/run/secrets/token1", "/home/me/.config/gcloud/credentials.json", "~/.netrc-1",
        "YOUR_TOKEN_1", "your-token-here", "xxxxxxxx-xxxx-xxxx", "<token-here>", "${TOKEN_1}"})
    EXPECT_FALSE(worth_masking(word)) << word;
}

TEST(Environment, MasksNoVariableThatSaysWhereSomethingIs) {
  using Secrets = std::vector<std::string>;
  EXPECT_EQ(secrets_in("API_TOKEN", "s3cretvalue99"), Secrets{"s3cretvalue99"});
  EXPECT_EQ(secrets_in("HOMEPAGE", "s3cretvalue99"), Secrets{});
  for (const char* name : {"TOKEN_FILE", "SECRET_DIR", "token_path", "PASSWORD_STORE",
                           "TOKEN_DIRECTORY", "SECRET_SOCK", "TOKEN_URL"})
    EXPECT_EQ(secrets_in(name, "some-place/of/1"), Secrets{}) << name;
  EXPECT_EQ(secrets_in("GOOGLE_APPLICATION_CREDENTIALS", "/etc/gcloud/key-1.json"), Secrets{});
  // It leads to the secret: a shell command sees it only if the operator passes it on.
  EXPECT_TRUE(looks_secret("TOKEN_FILE", "/run/secrets/token"));
}

TEST(Environment, MasksThePasswordOfAUrlByItself) {
  using Secrets = std::vector<std::string>;
  EXPECT_EQ(secrets_in("DATABASE_URL", "postgres://app:S3cretPass99@db/x"),
            (Secrets{"postgres://app:S3cretPass99@db/x", "S3cretPass99"}));
  EXPECT_EQ(secrets_in("A", "redis://:p%40ss%2Fw0rd%@h"),
            (Secrets{"redis://:p%40ss%2Fw0rd%@h", "p%40ss%2Fw0rd%", "p@ss/w0rd%"}));
  EXPECT_EQ(secrets_in("A", "postgres://postgres:postgres@db"),
            Secrets{"postgres://postgres:postgres@db"});
}

TEST(Environment, PassesOnWhatTheOperatorNames) {
  const std::vector<std::string> entries{"A=1", "GITHUB_TOKEN=x", "SLACK_TOKEN=y", "ODD"};
  const std::vector<std::string> pass{"GITHUB_TOKEN"};
  EXPECT_EQ(without_secrets(entries, pass),
            (std::vector<std::string>{"A=1", "GITHUB_TOKEN=x", "ODD"}));
}

}  // namespace
}  // namespace goondan
