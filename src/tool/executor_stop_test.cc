// Timeouts, cancellation, and handlers that do not come back.
#include <future>
#include <latch>
#include <thread>

#include <gtest/gtest.h>

#include <goondan/executor.h>

namespace goondan {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShort{20};
constexpr milliseconds kLong{60'000};

class StopTest : public ::testing::Test {
 protected:
  void add(std::string name, ToolHandler handler, HandlerThread thread = HandlerThread::Own) {
    ASSERT_TRUE(registry_
                    .add({.item = {.name = std::move(name), .source = {.name = "test"}},
                          .handler = std::move(handler),
                          .thread = thread})
                    .ok());
  }

  ToolCatalog catalog() const { return ToolCatalog(registry_); }

  ToolRegistry registry_;
};

Result<Json> wait_for_stop(ToolContext& context, const JsonObject&) {
  context.sleep_for(kLong);
  return Json("stopped by myself");
}

TEST_F(StopTest, TimesOutAHandlerThatKeepsTheDeadline) {  // REQ: CALL-10
  add("a__own", wait_for_stop, HandlerThread::Own);
  add("a__caller", wait_for_stop, HandlerThread::Caller);
  const ToolExecutor executor(registry_, {.timeout = kShort, .cancel_grace = kLong});
  for (const char* name : {"a__own", "a__caller"}) {
    const auto result = executor.run(catalog(), {.id = "1", .name = name});
    EXPECT_EQ(result.error.value().code, ErrorCode::ToolTimeout);
    EXPECT_NE(result.error->message.find("20 ms"), std::string::npos);
  }
  EXPECT_EQ(executor.stats().abandoned, 0u);
}

TEST_F(StopTest, CancelsARunningCall) {  // REQ: CALL-10
  std::stop_source stop;
  const auto handler = [&stop](ToolContext& context, const JsonObject& input) {
    stop.request_stop();
    return wait_for_stop(context, input);
  };
  add("a__own", handler, HandlerThread::Own);
  add("a__caller", handler, HandlerThread::Caller);
  const ToolExecutor executor(registry_, {.cancel_grace = kLong});
  for (const char* name : {"a__own", "a__caller"}) {
    stop = std::stop_source();
    const auto result =
        executor.run(catalog(), {.id = "1", .name = name}, {.stop = stop.get_token()});
    EXPECT_EQ(result.error.value().code, ErrorCode::ToolCancelled) << name;
  }
}

TEST_F(StopTest, AnswersCallsThatHadNotBegunWhenCancelled) {  // REQ: CALL-10
  std::stop_source stop;
  add("a__b", [&stop](ToolContext&, const JsonObject&) -> Result<Json> {
    stop.request_stop();
    return Json(1);
  });
  const ToolExecutor executor(registry_, {.max_concurrent = 1});
  const std::vector<ToolCall> calls(3, ToolCall{.id = "1", .name = "a__b"});
  const auto results = executor.run_all(catalog(), calls, {.stop = stop.get_token()});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[1].error.value().code, ErrorCode::ToolCancelled);
  EXPECT_EQ(results[2].error.value().code, ErrorCode::ToolCancelled);
}

// Counts handlers that came back after their call had been answered.
class LateReturns final : public CallObserver {
 public:
  void on_end(const ToolCall&, const ToolCallResult&, std::chrono::nanoseconds) override { ++ends; }
  void on_progress(const ToolCall&, const Progress&) override { ++progress; }
  void on_late_return(const ToolCall&) override { returned.set_value(); }

  std::atomic<int> ends = 0;
  std::atomic<int> progress = 0;
  std::promise<void> returned;
};

TEST_F(StopTest, LeavesAHandlerBehindThatNeverReturns) {  // REQ: CALL-3, CALL-10
  std::promise<void> release;
  const auto gate = release.get_future().share();
  add("a__hang", [gate](ToolContext& context, const JsonObject&) -> Result<Json> {
    gate.wait();
    context.progress(1, 1, "too late to matter");
    return Json("late");
  });
  add("a__fine", [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(1); });
  auto late = std::make_shared<LateReturns>();
  const ToolExecutor executor(registry_,
                              {.timeout = kShort, .cancel_grace = kShort, .observers = {late}});
  const auto result = executor.run(catalog(), {.id = "1", .name = "a__hang"});
  EXPECT_EQ(result.error.value().code, ErrorCode::ToolTimeout);
  EXPECT_NE(result.error->message.find("left running"), std::string::npos);
  EXPECT_EQ(executor.stats().abandoned, 1u);
  EXPECT_TRUE(executor.run(catalog(), {.id = "2", .name = "a__fine"}, {.timeout = kLong}).ok());

  release.set_value();
  late->returned.get_future().wait();
  EXPECT_EQ(late->ends, 2);
  EXPECT_EQ(late->progress, 0);
  EXPECT_EQ(executor.stats().abandoned, 0u);
  EXPECT_EQ(executor.stats().late_returns, 1u);
}

TEST_F(StopTest, RefusesFurtherCallsWhenTooManyNeverReturned) {
  std::promise<void> release;
  const auto gate = release.get_future().share();
  auto left = std::make_shared<std::latch>(2);
  add("a__hang", [gate, left](ToolContext&, const JsonObject&) -> Result<Json> {
    gate.wait();
    left->count_down();
    return Json(1);
  });
  {
    const ToolExecutor executor(registry_,
                                {.timeout = kShort, .cancel_grace = kShort, .max_abandoned = 2});
    const std::vector<ToolCall> calls(2, ToolCall{.id = "1", .name = "a__hang"});
    for (const auto& result : executor.run_all(catalog(), calls))
      EXPECT_FALSE(result.ok());
    const auto refused = executor.run(catalog(), {.id = "3", .name = "a__hang"});
    EXPECT_EQ(refused.error.value().code, ErrorCode::ToolBusy);
  }
  release.set_value();
  left->wait();
}

TEST_F(StopTest, GivesEachOfManyCancelledCallsExactlyOneResult) {  // REQ: CALL-10
  add("a__b", [](ToolContext& context, const JsonObject& input) -> Result<Json> {
    context.sleep_for(milliseconds(input.at("ms").as_int64()));
    return Json(1);
  });
  const ToolExecutor executor(registry_, {.cancel_grace = kLong});
  for (int round = 0; round < 20; ++round) {
    std::stop_source stop;
    std::vector<ToolCall> calls;
    for (int i = 0; i < 8; ++i) {
      calls.push_back({.id = std::to_string(i), .name = "a__b", .input = {{"ms", i}}});
    }
    std::jthread canceller([&stop] { stop.request_stop(); });
    const auto results = executor.run_all(catalog(), calls, {.stop = stop.get_token()});
    ASSERT_EQ(results.size(), 8u);
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].tool_call_id, calls[i].id);
      EXPECT_TRUE(results[i].ok() || results[i].error->code == ErrorCode::ToolCancelled);
    }
  }
  EXPECT_EQ(executor.stats().running, 0u);
}

// What a call owns would otherwise end on the call's thread, at any time after the answer: also
// while the process ends.
TEST_F(StopTest, HasLetGoOfEveryCallThatItAnswers) {
  add("a__b", [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(1); });
  const ToolExecutor executor(registry_);
  const ToolCatalog offered = catalog();
  const auto scope = std::make_shared<const CallScope>();
  const std::vector<ToolCall> calls(3, ToolCall{.id = "1", .name = "a__b"});
  for (int round = 0; round < 1000; ++round) {
    executor.run(offered, calls.front(), {.scope = scope, .timeout = kLong});
    ASSERT_EQ(scope.use_count(), 1) << "round " << round;
    executor.run_all(offered, calls, {.scope = scope, .timeout = kLong});
    ASSERT_EQ(scope.use_count(), 1) << "round " << round;
  }
}

}  // namespace
}  // namespace goondan
