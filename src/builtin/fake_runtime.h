// A runtime for the tests of tools that ask it: says what it was told to say, and keeps the asked.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <goondan/goondan.h>

namespace goondan::builtin {

class FakeRuntime final : public CallRuntime {
 public:
  using Answer = std::function<Result<Json>(const JsonObject& params)>;

  Result<Json> request(const Caller& caller, std::string_view method, const Json& params) override {
    asked.emplace_back(method, params);
    last_agent = caller.scope.agent_name;
    return answer(params.as_object());
  }

  Answer answer = [](const JsonObject&) -> Result<Json> { return Json(JsonObject{}); };
  std::vector<std::pair<std::string, Json>> asked;
  std::string last_agent;
};

// Calls the exports of one built-in tool as an agent would: through the executor.
class RuntimeToolTest : public testing::Test {
 protected:
  explicit RuntimeToolTest(std::string tool) : tool_(std::move(tool)) {
    EXPECT_TRUE(add_builtin_tools(registry_, {.only = {tool_}}).ok());
  }

  ToolCallResult call(const std::string& name, JsonObject input) {
    const ToolExecutor executor(registry_, {.timeout = timeout_, .runtime = runtime_});
    return executor.run(ToolCatalog(registry_),
                        {.id = "1", .name = tool_ + "__" + name, .input = std::move(input)},
                        {.scope = std::make_shared<CallScope>(CallScope{.agent_name = "caller"})});
  }

  void answers(Json answer) {
    runtime_->answer = [answer = std::move(answer)](const JsonObject&) -> Result<Json> {
      return answer;
    };
  }
  void fails(Error error) {
    runtime_->answer = [error = std::move(error)](const JsonObject&) -> Result<Json> {
      return error;
    };
  }

  // The result as text, so that the order of its keys is seen too.
  std::string output(const std::string& name, JsonObject input) {
    const ToolCallResult result = call(name, std::move(input));
    return result.ok() ? to_text(*result.output) : result.error->message;
  }

  // What the runtime was asked last: the method and its parameters.
  std::string asked() const {
    if (runtime_->asked.empty()) return "nothing";
    return runtime_->asked.back().first + " " + to_text(runtime_->asked.back().second);
  }

  const std::string tool_;
  ToolRegistry registry_;
  std::chrono::milliseconds timeout_{600'000};
  std::shared_ptr<FakeRuntime> runtime_ = std::make_shared<FakeRuntime>();
};

}  // namespace goondan::builtin
