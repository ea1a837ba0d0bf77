#include "model/scripted_template.h"

#include "model/scripted_fixture.h"
#include "model/scripted_reference.h"
#include "model/scripted_script.h"

namespace goondan {
namespace {

class ScriptedReferences : public ScriptedTest {
 protected:
  // What a reply with this text says after a result of this kind.
  std::string after_result(const std::string& text, Json output) {
    JsonObject quoted{{"replies", JsonArray{JsonObject{{"text", text}}}}};
    const auto model = load(to_text(quoted));
    if (!model.ok()) return model.error().message;
    messages_.clear();
    user("question");
    result("a__x", std::move(output));
    const Result<ModelReply> reply = ask(**model);
    return reply.ok() ? reply->text : reply.error().message;
  }
};

TEST_F(ScriptedReferences, NameTheUsersTextAndTheToolsOutput) {
  EXPECT_EQ(after_result("{{input}}/{{output}}", "out"), "question/out");
  EXPECT_EQ(after_result("{{ output }}", {{"a", 1}}), R"({"a":1})");
  EXPECT_EQ(
      after_result("<{{output.items[1].name}}>", {{"items", {{{"name", "x"}}, {{"name", "y"}}}}}),
      "<y>");
  EXPECT_EQ(after_result("{{output[\"odd. key\"]}}", {{"odd. key", true}}), "true");
  EXPECT_EQ(after_result("{{output[-1]}}", JsonArray{1, 2.5}), "2.5");
  EXPECT_EQ(after_result("\\{{input}} costs {\"a\": {}}", 1), "{{input}} costs {\"a\": {}}");
}

TEST_F(ScriptedReferences, NameEarlierInputsTurnsAndTools) {
  tools_ = tools_.with({.name = "a__x"}).value().with({.name = "a__y"}).value();
  const auto model =
      load("replies: [{text: '{{inputs[0]}} {{inputs[-1]}} {{turn}}.{{step}} {{tools}}'}]").value();
  user("first");
  ASSERT_TRUE(go_on(*model).ok());
  user("second");
  EXPECT_EQ(ask(*model)->text, "first second 2.1 a__x, a__y");
}

TEST_F(ScriptedReferences, NameWhatAPatternFound) {
  const auto model = load(R"(
replies:
  - when: { matches: 'ask (?P<who>\w+) about (\w+)' }
    calls:
      - tool: agents__request
        args: { target: "{{match.who}}", input: "What about {{match[2]}}?" }
)")
                         .value();
  user("Please ask writer about whales now");
  EXPECT_EQ(ask(*model)->calls[0].input,
            Json({{"target", "writer"}, {"input", "What about whales?"}}));
}

TEST_F(ScriptedReferences, NameErrorsAndHandles) {
  const auto model = load(R"(
replies:
  - when: { status: error }
    text: "{{error.code}}: {{error.message}}"
  - when: { status: pending }
    text: "{{handle}} {{output.eta}}"
)")
                         .value();
  user("go");
  failure("a__x", {.code = ErrorCode::ToolTimeout, .message = "too slow"});
  EXPECT_EQ(ask(*model)->text, "E_TOOL_TIMEOUT: too slow");
  messages_.pop_back();
  pending("a__x", "h_1", JsonObject{{"eta", 5}});
  EXPECT_EQ(ask(*model)->text, "h_1 5");
}

TEST_F(ScriptedReferences, KeepTheTypeWhereTheyAreTheWholeArgument) {
  const auto model = load(R"(
replies:
  - calls:
      - tool: a__x
        args:
          whole: "{{output.n}}"
          part: "n={{output.n}}"
          deep: [{ list: "{{output.list}}" }, 3, null]
)")
                         .value();
  user("go");
  result("a__x", JsonObject{{"n", 7}, {"list", JsonArray{1, 2}}});
  EXPECT_EQ(ask(*model)->calls[0].input,
            Json({{"whole", 7},
                  {"part", "n=7"},
                  {"deep", JsonArray{JsonObject{{"list", JsonArray{1, 2}}}, 3, nullptr}}}));
}

TEST_F(ScriptedReferences, ThatNameNothingSayWhereTheyStand) {
  EXPECT_EQ(after_result("{{output.b}}", {{"a", 1}}),
            "script.yaml:1:13: the reference `output.b` names nothing here");
  EXPECT_EQ(after_result("{{output[5]}}", JsonArray{1}),
            "script.yaml:1:13: the reference `output[5]` names nothing here");
  EXPECT_EQ(after_result("{{handle}}", "x"),
            "script.yaml:1:13: the reference `handle` names nothing here");
}

TEST_F(ScriptedReferences, ThatAreMalformedAreMistakesOfTheScript) {
  for (const std::string_view text : {"{{}}", "{{output.}}", "{{output[}}", "{{output[]}}",
                                      "{{out put}}", "{{.a}}", "{{output]}}", "{{input"}) {
    const Result<void> checked = scripted::check_references(text);
    ASSERT_FALSE(checked.ok()) << text;
    EXPECT_EQ(checked.error().code, ErrorCode::Script);
  }
  EXPECT_EQ(scripted::check_references("{{ouput.a}}").error().suggestion, "Did you mean `output`?");
}

TEST_F(ScriptedReferences, CannotMakeAnAnswerGrowWithoutEnd) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "{{output}}";
  EXPECT_NE(after_result(text, JsonString(scripted::kMaxReplyBytes / 50, 'x')).find("larger than"),
            std::string::npos);
}

}  // namespace
}  // namespace goondan
