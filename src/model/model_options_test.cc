#include "model/model_options.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

Result<ModelOptions> parse(std::string_view text) {
  return ModelOptions::parse(parse_json(text).value().as_object());
}

TEST(ModelOptions, HaveDefaults) {
  const ModelOptions options = parse("{}").value();
  EXPECT_EQ(options.max_retries, 4);
  EXPECT_EQ(options.timeout.count(), 600'000);
  EXPECT_EQ(options.idle_timeout.count(), 60'000);
  EXPECT_TRUE(options.headers.empty());
}

TEST(ModelOptions, AreReadFromTheResource) {
  const ModelOptions options =
      parse(R"({"maxRetries":0,"retryWaitMs":7,"timeoutMs":8,"idleTimeoutMs":9,
        "maxTokensField":"max_tokens","reasoning":"sendBack","headers":{"x-a":"b"},
        "request":{"seed":1}})")
          .value();
  EXPECT_EQ(options.max_retries, 0);
  EXPECT_EQ(options.retry_wait.count(), 7);
  EXPECT_EQ(options.timeout.count(), 8);
  EXPECT_EQ(options.idle_timeout.count(), 9);
  EXPECT_EQ(options.max_tokens_field, "max_tokens");
  EXPECT_EQ(options.reasoning, ModelOptions::Reasoning::SendBack);
  EXPECT_EQ(options.headers, (std::vector<net::Header>{{"x-a", "b"}}));
  EXPECT_EQ(to_text(options.request), R"({"seed":1})");
}

TEST(ModelOptions, AreRefusedWithTheFieldThatIsWrong) {
  const auto problem = [](std::string_view text) {
    const Result<ModelOptions> options = parse(text);
    EXPECT_EQ(options.error().code, ErrorCode::ModelConfig);
    return options.error().message;
  };
  EXPECT_EQ(problem(R"({"maxRetry":1})"), "`options` has no field `maxRetry`");
  EXPECT_EQ(problem(R"({"maxRetries":-1})"),
            "`options.maxRetries` must be a whole number from 0 to 20");
  EXPECT_EQ(problem(R"({"timeoutMs":"1"})"),
            "`options.timeoutMs` must be a whole number from 1 to 86400000");
  EXPECT_EQ(problem(R"({"maxTokensField":"x"})"),
            "`options.maxTokensField` must be `max_tokens` or `max_completion_tokens`");
  EXPECT_EQ(problem(R"({"reasoning":true})"), "`options.reasoning` must be `drop` or `sendBack`");
  EXPECT_EQ(problem(R"({"headers":{"a":"b\nc"}})"),
            "`options.headers` must be a mapping of header names to texts of one line");
  EXPECT_EQ(problem(R"({"request":[]})"), "`options.request` must be a mapping");
  EXPECT_EQ(parse(R"({"maxRetry":1})").error().suggestion.substr(0, 26),
            "Did you mean `maxRetries`?");
}

}  // namespace
}  // namespace goondan
