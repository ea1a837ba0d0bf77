// For whom a turn acts, what it is told beyond its conversation, and what code of the first dialect
// sees of it.
#include <gmock/gmock.h>

#include "agent/blocks.h"
#include "agent/turn_fixture.h"

namespace goondan::agent {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::Not;

const JsonObject kAda{{"subjects", JsonObject{{"user", "u:ada"}}}};
const JsonObject kBob{{"subjects", JsonObject{{"user", "u:bob"}}}};

TurnMessage message_of(std::string id, const JsonObject& auth) {
  TurnMessage made = message(std::move(id));
  made.auth = auth;
  made.origin = JsonObject{{"channel", "C1"}};
  return made;
}

std::string injection_of(std::string_view text, const JsonObject& auth) {
  return to_text(
      JsonObject{{"text", text}, {"auth", auth}, {"origin", JsonObject{{"channel", "C1"}}}});
}

TEST_F(Turns, ACallKnowsForWhomItsTurnActs) {  // REQ: OAUTH-2
  Json seen;
  add_tool(registry, "who__asks", [&](ToolContext& context, const JsonObject&) -> Result<Json> {
    seen = JsonObject{{"auth", context.scope().auth}, {"origin", context.scope().origin}};
    return Json(1);
  });
  model.then(calls_reply({call("a", "who__asks")}));
  turns().run(message_of("m1", kAda));
  EXPECT_EQ(to_text(seen), R"({"auth":{"subjects":{"user":"u:ada"}},"origin":{"channel":"C1"}})");
}

TEST_F(Turns, ReadsOnlyAnswersOfTheSamePerson) {
  ASSERT_TRUE(store->add_injection({.id = "i1", .json = injection_of("for bob", kBob)}).ok());
  ASSERT_TRUE(store->add_injection({.id = "i2", .json = injection_of("for ada", kAda)}).ok());
  turns().run(message_of("m1", kAda));
  std::string all;
  for (const Message& one : model.seen().at(0).messages)
    all += one.text() + "|";
  EXPECT_THAT(all, HasSubstr("for ada"));
  EXPECT_THAT(all, Not(HasSubstr("for bob")));
  Json seen;
  add_tool(registry, "who__asks", [&](ToolContext& context, const JsonObject&) -> Result<Json> {
    seen = context.scope().auth;
    return Json(1);
  });
  ASSERT_TRUE(turns().run_injections().has_value());
  EXPECT_EQ(model.seen().back().messages.back().text(), "for bob");
  EXPECT_FALSE(turns().run_injections().has_value());
}

TEST_F(Turns, TheTurnOfAnAnswerActsForWhomItWasAskedFor) {
  Json seen;
  add_tool(registry, "who__asks", [&](ToolContext& context, const JsonObject&) -> Result<Json> {
    seen = context.scope().auth;
    return Json(1);
  });
  ASSERT_TRUE(store->add_injection({.id = "i1", .json = injection_of("for bob", kBob)}).ok());
  model.then(calls_reply({call("a", "who__asks")}));
  ASSERT_TRUE(turns().run_injections().has_value());
  EXPECT_EQ(seen, Json(kBob));
}

TEST_F(Turns, BlocksOfAStepReachTheModelAndNothingElse) {  // REQ: OAUTH-9, MW-3
  step_pipeline.add("blocks", [](StepContext& context, StepPipeline::Next& next) {
    context.blocks.push_back(JsonObject{{"type", "auth.pending"}, {"items", JsonArray{}}});
    return next();
  });
  turns().run(message("m1"));
  EXPECT_THAT(model.seen().at(0).system, HasSubstr("Be kind."));
  EXPECT_THAT(model.seen().at(0).system, HasSubstr(R"({"type":"auth.pending","items":[]})"));
  for (const Message& one : base())
    EXPECT_THAT(one.text(), Not(HasSubstr("auth.pending")));
}

TEST_F(Turns, TheFirstDialectIsToldOfTurnAndStepOnlyWhereItHasCode) {  // REQ: CTX-3
  std::vector<std::string> seen;
  add_tool(registry, "who__asks", [&](ToolContext& context, const JsonObject&) -> Result<Json> {
    seen.push_back(to_text(context.scope().surroundings));
    return Json(1);
  });
  model.then(calls_reply({call("a", "who__asks")}));
  turns().run(message_of("m1", kAda));
  runner.reset();
  settings.dialects = CodeDialects::Both;
  settings.instance_id = "w/writer@main";
  model.then(calls_reply({call("b", "who__asks")}));
  turns().run(message_of("m2", kAda));
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], "null");
  EXPECT_THAT(seen[1], HasSubstr(R"("instanceId":"w/writer@main")"));
  EXPECT_THAT(seen[1], HasSubstr(R"("auth":{"subjects":{"user":"u:ada"}})"));
  EXPECT_THAT(seen[1], HasSubstr(R"("toolCatalog":)"));
  EXPECT_THAT(seen[1], HasSubstr("who__asks"));
}

TEST(Blocks, AreMaskedAndBounded) {  // REQ: OAUTH-7
  Redactor redactor;
  redactor.add_secret("s3cret-s3cret");
  const JsonArray blocks{JsonObject{{"a", "s3cret-s3cret"}},
                         JsonObject{{"big", std::string(kMaxBlockBytes, 'x')}},
                         JsonObject{{"b", 1}}};
  const std::string text = prompt_with_blocks("Be kind.", blocks, &redactor);
  EXPECT_THAT(text, Not(HasSubstr("s3cret")));
  EXPECT_THAT(text, HasSubstr(R"({"b":1})"));
  EXPECT_THAT(text, HasSubstr("1 more, left out"));
  EXPECT_LT(text.size(), 1000U);
  EXPECT_EQ(prompt_with_blocks("Be kind.", {}, nullptr), "Be kind.");
}

}  // namespace
}  // namespace goondan::agent
