#include "cli/turn_words.h"

#include <gtest/gtest.h>

namespace goondan::cli {
namespace {

TEST(TurnWords, SayForWhomAndWhereFrom) {  // REQ: OAUTH-2
  EXPECT_EQ(to_text(turn_surroundings({}).value()), "{}");
  EXPECT_EQ(to_text(turn_surroundings({.subjects = {"global=slack:team:T1", "user=a=b"},
                                       .origin = {"channel=C1"}})
                        .value()),
            R"({"auth":{"subjects":{"global":"slack:team:T1","user":"a=b"}},)"
            R"("origin":{"channel":"C1"}})");
}

TEST(TurnWords, RefuseWhatIsNoPair) {
  for (const char* wrong : {"", "user", "user=", "=ada", "team=T1"}) {
    const Result<JsonObject> read = turn_surroundings({.subjects = {wrong}});
    ASSERT_FALSE(read.ok()) << wrong;
    EXPECT_EQ(read.error().code, ErrorCode::Usage);
    EXPECT_NE(read.error().suggestion.find("--subject"), std::string::npos);
  }
  EXPECT_FALSE(turn_surroundings({.origin = {"C1"}}).ok());
}

}  // namespace
}  // namespace goondan::cli
