#include "agent/server_secrets.h"

#include <gmock/gmock.h>

namespace goondan::agent {
namespace {

using ::testing::UnorderedElementsAre;

const ValueSource::Environment kEnvironment{{"MY_TOKEN", "t0ken-of-mine"},
                                            {"PLAIN", "eu-central-1"},
                                            {"DB", "postgres://me:pa55-word@db/x"},
                                            {"GATE", "Bearer gate-keeper-9"}};

ValueSource from(const char* variable) {
  return {.env = variable};
}

ValueSource text(const char* value) {
  return {.value = value};
}

TEST(ServerSecrets, AreVariablesThatAreNamedLikeOneOnEitherSide) {
  const McpServerResource server{.env = {{"AUTH", from("MY_TOKEN")},
                                         {"API_KEY", text("k3y-in-plain")},
                                         {"REGION", from("PLAIN")},
                                         {"DATABASE", from("DB")},
                                         {"MISSING_TOKEN", from("NOBODY")}}};
  EXPECT_THAT(server_secrets(server, kEnvironment),
              UnorderedElementsAre("t0ken-of-mine", "k3y-in-plain", "postgres://me:pa55-word@db/x",
                                   "pa55-word", "postgres://me:pa55-word@db/x", "pa55-word"));
}

TEST(ServerSecrets, AreHeadersThatHoldOneOrComeFromElsewhere) {
  const McpServerResource server{.headers = {{"Authorization", text("Bearer abc-123-def")},
                                             {"X-Gate", from("GATE")},
                                             {"X-Team", text("the-blue-team-4")}}};
  EXPECT_THAT(server_secrets(server, kEnvironment),
              UnorderedElementsAre("abc-123-def", "Bearer gate-keeper-9", "gate-keeper-9"));
}

}  // namespace
}  // namespace goondan::agent
