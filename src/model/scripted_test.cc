#include "model/scripted.h"

#include <numeric>

#include "model/scripted_fixture.h"

namespace goondan {
namespace {

class ScriptedModel : public ScriptedTest {};

TEST_F(ScriptedModel, GivesTheFirstReplyThatFits) {
  const auto model = load(R"(
replies:
  - when: { contains: weather }
    text: It rains.
  - when: { equals: hello }
    text: Hello yourself.
  - when: { matches: '(?i)^bye\b' }
    text: Bye.
  - when: { contains: [one, two] }
    text: Both.
  - text: Pardon?
)")
                         .value();
  EXPECT_EQ(answer_to(*model, "How is the weather?"), "It rains.");
  EXPECT_EQ(answer_to(*model, " hello\n"), "Hello yourself.");
  EXPECT_EQ(answer_to(*model, "hello there"), "Pardon?");
  EXPECT_EQ(answer_to(*model, "BYE now"), "Bye.");
  EXPECT_EQ(answer_to(*model, "two and one"), "Both.");
  EXPECT_EQ(answer_to(*model, "only one"), "Pardon?");
  EXPECT_EQ(model->provider(), "scripted");
  EXPECT_EQ(model->id(), "script.yaml");
}

TEST_F(ScriptedModel, TellsResultsFromMessagesOfTheUser) {
  const auto model = load(R"(
replies:
  - when: { tool: a__x, status: error }
    text: x failed
  - when: { tool: a__x, status: pending }
    text: x goes on
  - when: { tool: a__x }
    text: x is done
  - when: { role: tool, contains: blue }
    text: blue
  - when: { role: user }
    text: user
)")
                         .value();
  EXPECT_EQ(answer_to(*model, "blue"), "user");
  result("a__x", "fine");
  EXPECT_EQ(ask(*model)->text, "x is done");
  messages_.pop_back();
  failure("a__x", tool_error("no"));
  EXPECT_EQ(ask(*model)->text, "x failed");
  messages_.pop_back();
  pending("a__x", "h1", nullptr);
  EXPECT_EQ(ask(*model)->text, "x goes on");
  messages_.pop_back();
  result("a__y", JsonObject{{"colour", "blue"}});
  EXPECT_EQ(ask(*model)->text, "blue");
}

TEST_F(ScriptedModel, LooksAtAllResultsSinceItLastSpoke) {
  const auto model = load(R"(
replies:
  - when: { role: user }
    calls: [{ tool: a__x }, { tool: a__y }]
  - when: { tool: a__x, status: ok }
    text: "{{output.n}} {{outputs[0].n}} {{outputs[-1].n}}"
)")
                         .value();
  user("go");
  ASSERT_TRUE(go_on(*model).ok());
  result("a__x", JsonObject{{"n", 1}}, "call_1_1");
  result("a__y", JsonObject{{"n", 2}}, "call_1_2");
  EXPECT_EQ(ask(*model)->text, "1 1 2");
}

TEST_F(ScriptedModel, CountsTurnsAndSteps) {
  const auto model = load(R"(
replies:
  - when: { turn: 2, step: 1 }
    text: second turn
  - when: { step: 2 }
    text: second step of turn {{turn}}
  - calls: [{ tool: a__x }]
)")
                         .value();
  user("one");
  EXPECT_EQ(go_on(*model)->calls.size(), 1U);
  result("a__x", 1);
  EXPECT_EQ(go_on(*model)->text, "second step of turn 1");
  user("two");
  EXPECT_EQ(go_on(*model)->text, "second turn");
}

TEST_F(ScriptedModel, UsesAReplyOnlySoOftenAndCountsFromTheConversationAlone) {
  const std::string text = R"(
replies:
  - { times: 1, text: first }
  - { times: 2, text: second }
  - { text: last }
)";
  std::vector<std::string> answers;
  for (int i = 0; i < 5; ++i) {
    const auto model = load(text).value();  // a new one each time, as after a crash
    user("next");
    EXPECT_EQ(ask(*model)->text, ask(*model)->text);
    answers.push_back(go_on(*model)->text);
  }
  EXPECT_EQ(answers, (std::vector<std::string>{"first", "second", "second", "last", "last"}));
}

TEST_F(ScriptedModel, LooksAtTheSystemPrompt) {
  const auto model = load(R"(
replies:
  - when: { system: reviewer }
    text: I review.
  - text: I write.
)")
                         .value();
  system_ = "You are a reviewer.";
  EXPECT_EQ(answer_to(*model, "x"), "I review.");
  system_ = "You are a writer.";
  EXPECT_EQ(answer_to(*model, "x"), "I write.");
}

TEST_F(ScriptedModel, CallsToolsWithIdsThatDependOnTheConversationOnly) {
  const auto model = load(R"(
replies:
  - calls:
      - { tool: a__x, args: { n: 1 } }
      - { tool: a__y, id: mine }
)")
                         .value();
  user("go");
  const ModelReply first = go_on(*model).value();
  ASSERT_EQ(first.calls.size(), 2U);
  EXPECT_EQ(first.calls[0].id, "call_1_1");
  EXPECT_EQ(first.calls[0].name, "a__x");
  EXPECT_EQ(first.calls[0].input, Json({{"n", 1}}));
  EXPECT_EQ(first.calls[1].id, "mine");
  EXPECT_EQ(first.calls[1].input, Json(JsonObject{}));
  EXPECT_EQ(first.finish, FinishReason::ToolCalls);
  EXPECT_EQ(ask(*model)->calls[0].id, "call_2_1");
}

TEST_F(ScriptedModel, CanCallWithArgumentsThatAreNotJson) {
  const auto model = load(R"(
replies:
  - calls: [{ tool: a__x, rawArguments: '{"a": ' }]
)")
                         .value();
  user("go");
  const ModelReply reply = ask(*model).value();
  EXPECT_FALSE(reply.calls[0].input_problem.empty());
}

TEST_F(ScriptedModel, StreamsItsTextInPieces) {
  const auto model = load(R"(
replies:
  - text: 안녕하세요, several pieces of one answer come one after the other.
)")
                         .value();
  user("go");
  const ModelReply reply = ask(*model).value();
  EXPECT_GT(listener_.pieces.size(), 3U);
  EXPECT_EQ(std::accumulate(listener_.pieces.begin(), listener_.pieces.end(), std::string()),
            reply.text);
}

TEST_F(ScriptedModel, SaysWhatTheScriptSaysAboutUsageAndFinish) {
  const auto model = load(R"(
replies:
  - text: cut
    finish: length
    usage: { inputTokens: 10, outputTokens: 3, cacheReadTokens: 4, reasoningTokens: 1 }
)")
                         .value();
  user("go");
  const ModelReply reply = ask(*model).value();
  EXPECT_EQ(reply.finish, FinishReason::Length);
  EXPECT_EQ(reply.usage, (Usage{.input = 10, .output = 3, .cache_read = 4, .reasoning = 1}));
}

TEST_F(ScriptedModel, FailsAsTheScriptSays) {
  const auto model = load(R"(
replies:
  - when: { contains: broken }
    error: { code: E_MODEL_BUSY, message: too many requests, suggestion: Wait. }
  - when: { contains: shaky }
    error: { code: E_MODEL_BUSY, times: 2 }
    text: here it is
)")
                         .value();
  user("broken");
  const Result<ModelReply> failed = ask(*model);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(
      failed.error(),
      (Error{.code = ErrorCode::ModelBusy, .message = "too many requests", .suggestion = "Wait."}));
  EXPECT_EQ(answer_to(*model, "shaky"), "here it is");
  EXPECT_EQ(listener_.retries,
            (std::vector<std::pair<int, std::string>>{{1, "E_MODEL_BUSY"}, {2, "E_MODEL_BUSY"}}));
}

TEST_F(ScriptedModel, AnswersLateButNotPastItsDeadlineOrAStop) {
  const auto model = load(R"(
replies:
  - when: { contains: soon }
    delayMs: 1
    pieceDelayMs: 1
    text: an answer of several pieces that took a while
  - delayMs: 600000
    text: never
)")
                         .value();
  EXPECT_EQ(answer_to(*model, "soon"), "an answer of several pieces that took a while");
  deadline_ = Clock::now();
  user("late");
  EXPECT_EQ(ask(*model).error().code, ErrorCode::ModelTimeout);
  deadline_ = Clock::now() + std::chrono::seconds(60);
  stop_.request_stop();
  EXPECT_EQ(ask(*model).error().code, ErrorCode::ToolCancelled);
}

TEST_F(ScriptedModel, AStopEndsTheStreamBetweenTwoPieces) {
  class Stopping final : public ModelObserver {
   public:
    explicit Stopping(std::stop_source& stop) : stop_(stop) {}
    void on_text(std::string_view) override {
      ++pieces;
      stop_.request_stop();
    }
    int pieces = 0;

   private:
    std::stop_source& stop_;
  };
  const auto model = load("replies: [{text: several pieces of one answer come here}]").value();
  user("go");
  Stopping observer(stop_);
  const Result<ModelReply> reply = model->reply({.messages = messages_,
                                                 .tools = tools_,
                                                 .params = params_,
                                                 .deadline = deadline_,
                                                 .stop = stop_.get_token()},
                                                observer);
  EXPECT_EQ(reply.error().code, ErrorCode::ToolCancelled);
  EXPECT_EQ(observer.pieces, 1);
}

TEST_F(ScriptedModel, NamesTheFileAndTheMessageWhereNoReplyFits) {
  const auto model = load("replies: [{when: {equals: a}, text: b}]").value();
  user(std::string(300, 'x'));
  Error error = ask(*model).error();
  EXPECT_EQ(error.code, ErrorCode::Script);
  EXPECT_EQ(error.message, "no reply in 'script.yaml' fits the message '" + std::string(100, 'x') +
                               "...' of the user (turn 1, step 1)");
  result("a__x", "out");
  EXPECT_EQ(ask(*model).error().message,
            "no reply in 'script.yaml' fits the result 'out' of the tool 'a__x' (turn 1, step 1)");
  messages_.clear();
  EXPECT_NE(ask(*model).error().message.find("an empty conversation"), std::string::npos);
}

TEST_F(ScriptedModel, TakesMessagesOfAnyShape) {
  const auto model = load(R"(
replies:
  - when: { tool: a__x, status: pending, contains: x, matches: y }
    text: "{{handle}}"
  - text: fine
)")
                         .value();
  for (const Json& data :
       {Json(nullptr), Json(JsonObject{}), Json({{"role", "tool"}, {"output", 1}}),
        Json({{"role", "tool"}, {"output", {{"status", "pending"}, {"handle", 7}}}}),
        Json({{"role", "tool"}, {"status", 5}, {"output", {{"status", "error"}}}}),
        Json({{"role", "assistant"}, {"content", {1, nullptr, {{"type", 3}}}}})}) {
    messages_.assign(3, Message{.id = "m", .data = data});
    EXPECT_EQ(ask(*model)->text, "fine") << to_text(data);
  }
}

// The scripts in the documentation are right, and the first says what is said about it.
TEST_F(ScriptedModel, PlaysTheScriptsOfItsDocumentation) {
  std::ifstream file(GDN_TEST_DATA "/../../docs/scripted-model.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::shared_ptr<Model>> models;
  constexpr std::string_view kBegin = "```yaml\n";
  for (std::size_t at = page.find(kBegin); at != std::string::npos; at = page.find(kBegin, at)) {
    at += kBegin.size();
    const std::string text = page.substr(at, page.find("```", at) - at);
    if (text.find("replies:") == std::string::npos) continue;
    const auto model = load(text);
    ASSERT_TRUE(model.ok()) << model.error().message;
    models.push_back(*model);
  }
  ASSERT_EQ(models.size(), 4U);
  user("How many files are there?");
  EXPECT_EQ(go_on(*models[0])->calls.at(0).name, "bash__exec");
  result("bash__exec", JsonObject{{"stdout", "0"}});
  EXPECT_EQ(go_on(*models[0])->text, "There are 0 of them.");
}

}  // namespace
}  // namespace goondan
