#include "model/scripted_reader.h"

#include "model/scripted_fixture.h"

namespace goondan {
namespace {

class ScriptedMistakes : public ScriptedTest {
 protected:
  std::string mistake(const std::string& text) {
    const auto model = load(text);
    if (model.ok()) return "no mistake";
    EXPECT_EQ(model.error().code, ErrorCode::Script);
    return model.error().message;
  }
};

TEST_F(ScriptedMistakes, AreNamedWithFileLineAndColumn) {
  EXPECT_EQ(mistake("replies:\n  - txt: hello\n"),
            "script.yaml:2:5: the field `txt` is not known here\n"
            "script.yaml:2:5: the reply says nothing");
  EXPECT_EQ(mistake("replies:\n  - text: a\n    when: { contain: b }\n"),
            "script.yaml:3:13: the field `contain` is not known here");
  EXPECT_EQ(load("replies:\n  - text: a\n    when: { contain: b }\n").error().suggestion,
            "Did you mean `contains`?");
  EXPECT_EQ(mistake("replies: [{text: 'see {{ouput}}'}]"),
            "script.yaml:1:18: the reference `ouput` begins with no known name");
}

TEST_F(ScriptedMistakes, OfEveryKindAreFound) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "the script is empty"},
      {"replies: []\n---\nreplies: []\n", "more than one document"},
      {"- a", "mapping"},
      {"reply: []", "`replies` is missing"},
      {"replies: {}", "a list"},
      {"replies: [a]", "a mapping"},
      {"replies: [{}]", "the reply says nothing"},
      {"replies: [{text: 1}]", "`text` must be text"},
      {"replies: [{text: [a}]", "script.yaml:1"},
      {"replies: [{text: a, times: 0}]", "`times` must be a whole number"},
      {"replies: [{text: a, when: {role: assistant}}]", "`role` cannot be `assistant`"},
      {"replies: [{text: a, when: {status: failed}}]", "`status` cannot be `failed`"},
      {"replies: [{text: a, when: {role: user, tool: x}}]", "no message of the user"},
      {"replies: [{text: a, when: {matches: '('}}]", "`matches` is not a regular expression"},
      {"replies: [{text: a, finish: done}]", "`finish` cannot be `done`"},
      {"replies: [{text: a, usage: {tokens: 1}}]", "`tokens` is not known here"},
      {"replies: [{calls: [{args: {}}]}]", "`tool` is missing"},
      {"replies: [{calls: [{tool: a, args: 3}]}]", "`args` must be a mapping"},
      {"replies: [{calls: [{tool: a, args: {}, rawArguments: '{}'}]}]", "either `args` or"},
      {"replies: [{calls: [{tool: a, args: {b: ['{{x}}']}}]}]", "begins with no known name"},
      {"replies: [{error: {}}]", "`code` is missing"},
      {"replies: [{error: {code: E_MODEL_BUZY}}]", "there is no error code `E_MODEL_BUZY`"},
      {"replies: [{text: a, error: {code: E_MODEL}}]", "both fails and answers"},
      {"replies: [{error: {code: E_MODEL, times: 2}}]", "the reply says nothing"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(mistake(text).find(expected), std::string::npos) << text << "\n" << mistake(text);
}

TEST_F(ScriptedMistakes, AboutTheFileItself) {
  EXPECT_NE(open("").error().message.find("has no script"), std::string::npos);
  EXPECT_NE(open("none.yaml").error().message.find("there is no such script"), std::string::npos);
  EXPECT_NE(open("../x.yaml").error().message.find("not inside the bundle"), std::string::npos);
  EXPECT_NE(open("/etc/passwd").error().message.find("not inside the bundle"), std::string::npos);
  std::filesystem::create_symlink("/etc/passwd", folder_ / "link.yaml");
  EXPECT_NE(open("link.yaml").error().message.find("not inside the bundle"), std::string::npos);
  write("large.yaml", std::string(2 << 20, '#'));
  EXPECT_EQ(open("large.yaml").error().code, ErrorCode::Script);
}

TEST_F(ScriptedMistakes, AreDiagnosticsForWhoeverChecksTheBundle) {
  write("script.yaml", "replies: [{text: a, tims: 3}]");
  const std::vector<Diagnostic> found = check_script(resource("script.yaml"), folder_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, ErrorCode::Script);
  EXPECT_EQ(found[0].position.file, "script.yaml");
  EXPECT_EQ(found[0].position.column, 21U);
  EXPECT_EQ(found[0].suggestion, "Did you mean `times`?");
  ModelResource none = resource("");
  none.meta.position = {.file = "goondan.yaml", .line = 3, .column = 1};
  EXPECT_EQ(check_script(none, folder_).at(0).position.file, "goondan.yaml");
  ModelResource other = resource("script.yaml");
  other.provider = "openai";
  EXPECT_TRUE(check_script(other, folder_).empty());
}

}  // namespace
}  // namespace goondan
