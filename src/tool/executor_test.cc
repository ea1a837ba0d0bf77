#include <atomic>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <goondan/executor.h>

#include "base/redactor.h"

namespace goondan {
namespace {

class ToolExecutorTest : public ::testing::TestWithParam<HandlerThread> {
 protected:
  void add(std::string name, ToolHandler handler, std::optional<Json> parameters = {}) {
    const auto added = registry_.add({.item = {.name = std::move(name),
                                               .parameters = std::move(parameters),
                                               .source = {.name = "test"}},
                                      .handler = std::move(handler),
                                      .thread = GetParam()});
    ASSERT_TRUE(added.ok()) << added.error().message;
  }

  ToolCallResult run(const ToolCall& call, ExecutorOptions options = {}) {
    return ToolExecutor(registry_, std::move(options)).run(ToolCatalog(registry_), call);
  }

  ToolRegistry registry_;
};

INSTANTIATE_TEST_SUITE_P(EitherThread, ToolExecutorTest,
                         ::testing::Values(HandlerThread::Own, HandlerThread::Caller),
                         [](const auto& param_info) {
                           return param_info.param == HandlerThread::Own ? "Own" : "Caller";
                         });

const Json kTextSchema = {{"type", "object"},
                          {"properties", {{"text", {{"type", "string"}}}}},
                          {"required", {"text"}},
                          {"additionalProperties", false}};

TEST_P(ToolExecutorTest, GivesTheHandlerItsContext) {  // REQ: CTX-1, CTX-4
  add("a__b", [](ToolContext& context, const JsonObject& input) -> Result<Json> {
    return Json{{"agent", context.agent_name()},
                {"key", context.instance_key()},
                {"turn", context.turn_id()},
                {"trace", context.trace_id()},
                {"call", context.tool_call_id()},
                {"workdir", context.workdir()},
                {"role", context.message().at("role")},
                {"input", input}};
  });
  const ToolExecutor executor(registry_);
  const auto scope =
      std::make_shared<const CallScope>(CallScope{.agent_name = "helper",
                                                  .instance_key = "k",
                                                  .turn_id = "t",
                                                  .trace_id = "tr",
                                                  .workdir = "/w",
                                                  .message = {{"role", "assistant"}}});
  const auto result = executor.run(
      ToolCatalog(registry_), {.id = "c9", .name = "a__b", .input = {{"x", 1}}}, {.scope = scope});
  EXPECT_EQ(to_text(result.output.value()),
            R"({"agent":"helper","key":"k","turn":"t","trace":"tr","call":"c9","workdir":"/w",)"
            R"("role":"assistant","input":{"x":1}})");
}

TEST_P(ToolExecutorTest, AnswersArgumentsThatAreNoObjectWithAnError) {  // REQ: CALL-5
  std::atomic<int> calls = 0;
  add("a__b",
      [&calls](ToolContext&, const JsonObject&) -> Result<Json> { return ++calls, Json(1); });
  for (const Json& input : {Json(nullptr), Json("text"), Json(JsonArray{1}), Json(5)}) {
    const auto result = run({.id = "1", .name = "a__b", .input = input});
    EXPECT_EQ(result.error.value().code, ErrorCode::ToolInvalidArgs);
  }
  const auto unreadable = run(ToolCall::from_text("1", "a__b", R"({"a":1,"a":2})"));
  EXPECT_EQ(unreadable.error.value().code, ErrorCode::ToolInvalidArgs);
  EXPECT_NE(unreadable.error->message.find("duplicate key \"a\""), std::string::npos);
  EXPECT_EQ(calls, 0);
}

TEST_P(ToolExecutorTest, SuggestsTheNearestPropertyAndTool) {
  add(
      "text__upper", [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(1); },
      kTextSchema);
  const auto slip = run({.id = "1", .name = "text__upper", .input = {{"txet", "a"}}});
  EXPECT_NE(slip.error.value().suggestion.find("did you mean"), std::string::npos)
      << slip.error->suggestion;
  EXPECT_NE(slip.error->suggestion.find("required=[text], allowed=[text]"), std::string::npos);
  const auto unknown = run({.id = "1", .name = "text__uper"});
  EXPECT_NE(unknown.error.value().suggestion.find("'text__upper'"), std::string::npos);
}

TEST_P(ToolExecutorTest, TurnsEveryKindOfFailureIntoAResult) {  // REQ: CALL-3
  add("a__exception",
      [](ToolContext&, const JsonObject&) -> Result<Json> { throw std::runtime_error("boom"); });
  add("a__int", [](ToolContext&, const JsonObject&) -> Result<Json> { throw 1; });
  add("a__error", [](ToolContext&, const JsonObject&) -> Result<Json> {
    return Error{.code = ErrorCode::Tool, .message = "no channel", .custom_code = "E_CHANNEL"};
  });
  EXPECT_EQ(run({.id = "1", .name = "a__exception"}).error.value().message, "boom");
  EXPECT_EQ(run({.id = "1", .name = "a__int"}).error.value().message,
            "Unknown tool execution error");
  EXPECT_EQ(run({.id = "1", .name = "a__error"}).error.value().code_text(), "E_CHANNEL");
}

TEST_P(ToolExecutorTest, MakesAPendingResultOfAnAsyncMarker) {  // REQ: CALL-6
  add("a__job", [](ToolContext&, const JsonObject&) -> Result<Json> {
    return Json{{"__async", true}, {"handle", "job-1"}};
  });
  add("a__broken", [](ToolContext&, const JsonObject&) -> Result<Json> {
    return Json{{"__async", true}};
  });
  const auto result = run({.id = "1", .name = "a__job"});
  EXPECT_EQ(result, ToolCallResult::pending({.id = "1", .name = "a__job"}, "job-1", {}));
  EXPECT_EQ(run({.id = "1", .name = "a__broken"}).error.value().code, ErrorCode::ToolBadReply);
}

TEST_P(ToolExecutorTest, RunsMiddlewareAroundTheHandler) {  // REQ: MW-1
  add(
      "a__echo", [](ToolContext&, const JsonObject& input) -> Result<Json> { return Json(input); },
      kTextSchema);
  auto pipeline = std::make_shared<ToolCallPipeline>();
  pipeline->add("shout", [](ToolCallContext& context, ToolCallPipeline::Next& next) {
    context.args["text"] = "LOUD";
    ToolCallResult result = next();
    result.output->as_object()["seen"] = context.call.name;
    return result;
  });
  const auto result =
      run({.id = "1", .name = "a__echo", .input = {{"text", "a"}}}, {.pipeline = pipeline});
  EXPECT_EQ(to_text(result.output.value()), R"({"text":"LOUD","seen":"a__echo"})");
}

TEST_P(ToolExecutorTest, ChecksArgumentsAgainThatAMiddlewareChanged) {
  std::atomic<int> calls = 0;
  add(
      "a__echo",
      [&calls](ToolContext&, const JsonObject&) -> Result<Json> { return ++calls, Json(1); },
      kTextSchema);
  auto pipeline = std::make_shared<ToolCallPipeline>();
  pipeline->add("spoil", [](ToolCallContext& context, ToolCallPipeline::Next& next) {
    context.args["text"] = 5;
    return next();
  });
  const auto result =
      run({.id = "1", .name = "a__echo", .input = {{"text", "a"}}}, {.pipeline = pipeline});
  EXPECT_EQ(result.error.value().code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(calls, 0);
}

TEST_P(ToolExecutorTest, AnswersAThrowingMiddlewareByName) {  // REQ: MW-6
  add("a__b", [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(1); });
  auto pipeline = std::make_shared<ToolCallPipeline>();
  pipeline->add("audit", [](ToolCallContext&, ToolCallPipeline::Next&) -> ToolCallResult {
    throw std::runtime_error("disk full");
  });
  const auto result = run({.id = "1", .name = "a__b"}, {.pipeline = pipeline});
  EXPECT_EQ(result.error.value().code, ErrorCode::Middleware);
  EXPECT_EQ(result.error->message, "middleware 'audit' failed: disk full");
}

TEST_P(ToolExecutorTest, KeepsTheIdAndNameWhateverAMiddlewareReturns) {  // REQ: CALL-9
  add("a__b", [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(1); });
  auto pipeline = std::make_shared<ToolCallPipeline>();
  pipeline->add("cache", [](ToolCallContext&, ToolCallPipeline::Next& next) {
    return next.instead(ToolCallResult::success({.id = "other", .name = "x__y"}, "cached"));
  });
  const auto result = run({.id = "1", .name = "a__b"}, {.pipeline = pipeline});
  EXPECT_EQ(result, ToolCallResult::success({.id = "1", .name = "a__b"}, "cached"));
}

// Writes down what it hears.
class Recorder final : public CallObserver {
 public:
  void on_start(const ToolCall& call) override { note("start " + call.id); }
  void on_progress(const ToolCall& call, const Progress& progress) override {
    note("progress " + call.id + " " + progress.text);
  }
  void on_log(const ToolCall& call, LogLevel, std::string_view text) override {
    note("log " + call.id + " " + std::string(text));
  }
  void on_end(const ToolCall& call, const ToolCallResult& result,
              std::chrono::nanoseconds) override {
    note("end " + call.id + (result.ok() ? " ok" : " error"));
  }

  std::vector<std::string> notes() {
    const std::lock_guard lock(mutex_);
    return notes_;
  }

 private:
  void note(std::string text) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(std::move(text));
  }

  std::mutex mutex_;
  std::vector<std::string> notes_;
};

TEST_P(ToolExecutorTest, TellsObserversStartProgressAndEnd) {
  add("a__b", [](ToolContext& context, const JsonObject&) -> Result<Json> {
    context.progress(1, 2, "half");
    context.log(LogLevel::Info, "hello");
    return Json(1);
  });
  auto recorder = std::make_shared<Recorder>();
  run({.id = "1", .name = "a__b"}, {.observers = {recorder}});
  run({.id = "2", .name = "a__unknown"}, {.observers = {recorder}});
  EXPECT_EQ(recorder->notes(),
            (std::vector<std::string>{"start 1", "progress 1 half", "log 1 hello", "end 1 ok",
                                      "start 2", "end 2 error"}));
}

TEST_P(ToolExecutorTest, SaysThatThereIsNoRuntimeOutsideAnAgent) {
  add("a__b", [](ToolContext& context, const JsonObject&) -> Result<Json> {
    return context.request("agents.catalog", JsonObject{});
  });
  EXPECT_EQ(run({.id = "1", .name = "a__b"}).error.value().code, ErrorCode::RuntimeUnavailable);
}

TEST_P(ToolExecutorTest, RunsTheCallsOfOneResponseTogetherAndKeepsTheirOrder) {  // REQ: CALL-10
  std::latch all_in(4);
  add("a__meet", [&all_in](ToolContext&, const JsonObject& input) -> Result<Json> {
    all_in.arrive_and_wait();  // returns only if all four run at the same time
    return input.at("n");
  });
  const ToolExecutor executor(registry_, {.max_concurrent = 4});
  std::vector<ToolCall> calls;
  for (int i = 0; i < 4; ++i) {
    calls.push_back({.id = std::to_string(i), .name = "a__meet", .input = {{"n", i}}});
  }
  const auto results = executor.run_all(ToolCatalog(registry_), calls);
  ASSERT_EQ(results.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(results[static_cast<std::size_t>(i)],
              ToolCallResult::success(calls[static_cast<std::size_t>(i)], i));
  }
}

TEST_P(ToolExecutorTest, KeepsToTheLimitOfConcurrentCalls) {  // REQ: CALL-10
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  add("a__b", [&](ToolContext&, const JsonObject&) -> Result<Json> {
    const int now = ++inside;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    --inside;
    return Json(1);
  });
  const ToolExecutor executor(registry_, {.max_concurrent = 3});
  const std::vector<ToolCall> calls(100, ToolCall{.id = "1", .name = "a__b"});
  const auto results = executor.run_all(ToolCatalog(registry_), calls);
  EXPECT_EQ(results.size(), 100u);
  EXPECT_LE(most, 3);
}

TEST_P(ToolExecutorTest, LetsGoodCallsRunBesideBadOnes) {  // REQ: DEC-11
  add("a__good", [](ToolContext&, const JsonObject&) -> Result<Json> { return Json("fine"); });
  add("a__bad", [](ToolContext&, const JsonObject&) -> Result<Json> { throw 1; });
  const ToolExecutor executor(registry_);
  const std::vector<ToolCall> calls{{.id = "1", .name = "a__good"},
                                    {.id = "2", .name = "a__bad"},
                                    {.id = "3", .name = "no__such"},
                                    {.id = "4", .name = "a__good", .input = Json("text")},
                                    {.id = "5", .name = "a__good"}};
  const auto results = executor.run_all(ToolCatalog(registry_), calls);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_TRUE(results[0].ok());
  EXPECT_EQ(results[1].error.value().code, ErrorCode::Tool);
  EXPECT_EQ(results[2].error.value().code, ErrorCode::ToolNotInCatalog);
  EXPECT_EQ(results[3].error.value().code, ErrorCode::ToolInvalidArgs);
  EXPECT_TRUE(results[4].ok());
}

TEST_P(ToolExecutorTest, SurvivesManyThreadsAtOnce) {
  add("a__b", [](ToolContext&, const JsonObject& input) -> Result<Json> { return input.at("n"); });
  const ToolExecutor executor(registry_);
  const ToolCatalog catalog(registry_);
  std::atomic<int> good = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        const auto result =
            executor.run(catalog, {.id = "1", .name = "a__b", .input = {{"n", t * 1000 + i}}});
        if (result.ok() && result.output->as_int64() == t * 1000 + i) ++good;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(good, 800);
  EXPECT_EQ(executor.stats().running, 0u);
}

// Keeps everything it hears as one text.
class Listener final : public CallObserver {
 public:
  void on_start(const ToolCall& call) override { heard += to_text(call.input); }
  void on_log(const ToolCall&, LogLevel, std::string_view text) override { heard += text; }
  void on_progress(const ToolCall&, const Progress& progress) override { heard += progress.text; }
  void on_end(const ToolCall& call, const ToolCallResult& result,
              std::chrono::nanoseconds) override {
    heard += to_text(call.input) + to_text(result.to_json());
  }

  std::string heard;
};

TEST_P(ToolExecutorTest, LetsNoSecretOutOfACall) {  // REQ: BLT-5
  add("a__good", [](ToolContext& context, const JsonObject&) -> Result<Json> {
    context.log(LogLevel::Info, "using canary-secret-1");
    context.progress(1, 2, "with canary-secret-1");
    return Json{{"said", {"canary-secret-1", "Y2FuYXJ5LXNlY3JldC0x"}}};
  });
  add("a__bad", [](ToolContext&, const JsonObject&) -> Result<Json> {
    return tool_error("canary-secret-1 is wrong", "not canary-secret-1");
  });
  add("a__cut", [](ToolContext&, const JsonObject&) -> Result<Json> {
    return tool_error(std::string(kDefaultErrorMessageLimit - 25, 'x') +
                      "canary-secret-1 is wrong");
  });
  const auto redactor = std::make_shared<Redactor>();
  redactor->add_secret("canary-secret-1");
  const auto listener = std::make_shared<Listener>();
  const ExecutorOptions options{.observers = {listener}, .redactor = redactor};
  const Json input{{"token", "canary-secret-1"}};
  const std::string good =
      to_text(run({.id = "1", .name = "a__good", .input = input}, options).to_json());
  const std::string bad =
      to_text(run({.id = "2", .name = "a__bad", .input = input}, options).to_json());
  const std::string cut = to_text(run({.id = "3", .name = "a__cut"}, options).to_json());
  for (const std::string& text : {good, bad, cut, listener->heard}) {
    EXPECT_FALSE(text.contains("canary-secret")) << text;
    EXPECT_FALSE(text.contains("Y2FuYXJ5")) << text;
    EXPECT_TRUE(text.contains(kRedacted)) << text;
  }
}

}  // namespace
}  // namespace goondan
