#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <goondan/resources.h>

namespace goondan {
namespace {

using Required = ValueSource::Required;

ValueSource secret(std::string name, std::string key = {}) {
  return {.secret_name = std::move(name), .secret_key = std::move(key)};
}

std::optional<std::string> found(const ValueSource& source,
                                 const ValueSource::Environment& environment,
                                 std::string_view field = {}) {
  Result<std::optional<std::string>> result = source.resolve(environment, Required::No, field);
  return result.ok() ? *result : std::nullopt;
}

Result<ValueSource> parsed(std::string_view json) {
  return ValueSource::parse(parse_json(json).value());
}

TEST(ValueSource, ParsesItsThreeForms) {
  EXPECT_EQ(parsed(R"({"value": "x"})")->value, "x");
  EXPECT_EQ(parsed(R"({"valueFrom": {"env": "X"}})")->env, "X");
  const Result<ValueSource> source =
      parsed(R"({"valueFrom": {"secretRef": {"ref": "Secret/slack", "key": "bot"}}})");
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->secret_name, "slack");
  EXPECT_EQ(source->secret_key, "bot");
}

TEST(ValueSource, RefusesEveryOtherForm) {
  for (const std::string_view json :
       {R"("text")", R"({})", R"({"value": 1})", R"({"value": "x", "valueFrom": {"env": "X"}})",
        R"({"valueFrom": {}})", R"({"valueFrom": "X"})", R"({"valueFrom": {"env": " "}})",
        R"({"valueFrom": {"env": "X", "secretRef": {"ref": "Secret/x"}}})",
        R"({"valueFrom": {"secretRef": "Secret/x"}})", R"({"valueFrom": {"secretRef": {}}})",
        R"({"valueFrom": {"secretRef": {"ref": "Secret/"}}})",
        R"({"valueFrom": {"secretRef": {"ref": "Secret/a/b"}}})",
        R"({"valueFrom": {"secretRef": {"ref": "Secret/a", "key": 1}}})", R"([])", R"(null)"}) {
    const Result<ValueSource> source = parsed(json);
    ASSERT_FALSE(source.ok()) << json;
    EXPECT_EQ(source.error().code, ErrorCode::ConfigSchemaInvalid);
    EXPECT_FALSE(source.error().suggestion.empty());
  }
}

TEST(ValueSource, SearchesSecretsFromTheMostToTheLeastSpecificVariable) {
  ValueSource::Environment environment;
  const ValueSource source = secret("my--slack.app", "bot token");
  for (const std::string_view name :
       {"SECRET_MY_SLACK_APP", "SECRET_MY_SLACK_APP_TOKEN_FIELD", "SECRET_MY_SLACK_APP_BOT_TOKEN",
        "GOONDAN_SECRET_MY_SLACK_APP", "GOONDAN_SECRET_MY_SLACK_APP_TOKEN_FIELD",
        "GOONDAN_SECRET_MY_SLACK_APP_BOT_TOKEN"}) {
    environment.emplace(name, name);
    EXPECT_EQ(found(source, environment, "token-field"), name);
  }
}

TEST(ValueSource, UsesTheFieldWhereASecretHasNoKey) {
  EXPECT_EQ(found(secret("slack"), {{"SECRET_SLACK_TOKEN", "t"}}, "token"), "t");
  EXPECT_EQ(found(secret("slack"), {{"GOONDAN_SECRET_SLACK", "s"}}), "s");
}

TEST(ValueSource, TreatsABlankVariableAsMissing) {
  EXPECT_EQ(found(ValueSource{.env = "X"}, {{"X", "  "}}), std::nullopt);
  EXPECT_EQ(found(secret("a"), {{"GOONDAN_SECRET_A", ""}, {"SECRET_A", "x"}}), "x");
}

TEST(ValueSource, NamesTheVariablesToSet) {
  const Result<std::optional<std::string>> missing =
      secret("slack", "bot").resolve({}, Required::Yes, "token");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::ConfigValueMissing);
  EXPECT_EQ(missing.error().suggestion,
            "Set one of: GOONDAN_SECRET_SLACK_BOT, GOONDAN_SECRET_SLACK_TOKEN, "
            "GOONDAN_SECRET_SLACK, SECRET_SLACK_BOT, SECRET_SLACK_TOKEN, SECRET_SLACK.");
}

}  // namespace
}  // namespace goondan
