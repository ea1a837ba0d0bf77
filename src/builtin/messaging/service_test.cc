#include "builtin/messaging/service.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builtin/messaging/test_api.h"

namespace goondan::builtin::messaging {
namespace {

using ::testing::HasSubstr;

constexpr std::array<std::string_view, 2> kVariables{"FIRST_TOKEN", "SECOND_TOKEN"};

constexpr Service kService{
    .name = "pigeon",
    .title = "Pigeon",
    .base_url = "https://api.pigeon.example/v1",
    .token_variables = kVariables,
    .owns_host = [](std::string_view host) { return host == "api.pigeon.example"; }};

Services services_with(std::map<std::string, std::string, std::less<>> environment) {
  Services services;
  services.environment = std::move(environment);
  services.redactor = std::make_shared<Redactor>();
  return services;
}

// In a call that nobody but the caller has touched, or one that this assistant message holds.
Result<Token> token_of(const Services& services, const JsonObject& input, Json message = nullptr) {
  const CallScope scope{.message = std::move(message)};
  RecordingHost host;
  const ToolContext context({.scope = scope,
                             .tool_call_id = "call_1",
                             .deadline = Deadline::max(),
                             .stop = {},
                             .host = host});
  return read_token(kService, services, context, input);
}

Json message_with_call(std::string_view id, const JsonObject& input) {
  const JsonObject call{{"type", "tool-call"}, {"toolCallId", id}, {"input", input}};
  return JsonObject{{"data", JsonObject{{"role", "assistant"}, {"content", JsonArray{call}}}}};
}

TEST(MessagingToken, IsTheOneGivenOrTheFirstVariableThatIsSet) {
  const Services services =
      services_with({{"FIRST_TOKEN", ""}, {"SECOND_TOKEN", "second-secret"}, {"OTHER", "x"}});
  EXPECT_EQ(token_of(services, {{"token", "mine"}}).value().text, "mine");
  EXPECT_EQ(token_of(services, {{"token", "mine"}}).value().variable, "");
  EXPECT_EQ(token_of(services, {{"token", ""}}).value().text, "second-secret");
  EXPECT_EQ(token_of(services, {}).value().variable, "SECOND_TOKEN");
}

TEST(MessagingToken, ThatIsMissingIsAnErrorWhichNamesTheVariables) {
  const Error error = token_of(services_with({}), {}).error();
  EXPECT_EQ(error.code, ErrorCode::TokenMissing);
  EXPECT_THAT(error.message, HasSubstr("FIRST_TOKEN, SECOND_TOKEN"));
}

TEST(MessagingToken, IsKnownToTheRedactorOnceItIsUsed) {  // REQ: BLT-5
  const Services services = services_with({});
  ASSERT_TRUE(token_of(services, {{"token", "given-with-the-call"}}).ok());
  EXPECT_TRUE(services.redactor->finds_in("it is given-with-the-call"));
  ASSERT_TRUE(token_of(services, {{"token", "placeholder"}}).ok());
  EXPECT_FALSE(services.redactor->finds_in("a placeholder"));
}

// Whether the operator's token, or the caller's, may go to `base`.
std::string verdict(const Services& services, std::string_view base, const JsonObject& extra) {
  JsonObject input = extra;
  input["apiBaseUrl"] = base;
  const Result<Token> token = token_of(services, input);
  const Result<Access> access = read_access(kService, services, *token, input);
  return access.ok() ? "ok" : std::string(access.error().code_text());
}

TEST(MessagingAccess, SendsTheOperatorsTokenOnlyToTheServiceOverHttps) {  // REQ: DEC-7
  const Services services = services_with({{"FIRST_TOKEN", "operator-secret"}});
  EXPECT_EQ(verdict(services, "", {}), "ok");
  EXPECT_EQ(verdict(services, "https://api.pigeon.example", {}), "ok");
  for (const std::string_view base :
       {"http://api.pigeon.example", "https://api.pigeon.example:8443", "https://evil.example",
        "https://api.pigeon.example.evil.example", "https://xapi.pigeon.example",
        "http://127.0.0.1:8080"}) {
    EXPECT_EQ(verdict(services, base, {}), "E_TOKEN_HOST") << base;
    EXPECT_EQ(verdict(services, base, {{"token", "callers-own"}}), "ok") << base;
  }
}

// REQ: DEC-7, OAUTH-7
TEST(MessagingAccess, SendsATokenThatAMiddlewareGaveOnlyToTheService) {
  const Services services = services_with({});
  const JsonObject input{{"token", "of-a-person"}, {"apiBaseUrl", "https://evil.example"}};
  const auto verdict_in = [&](const Json& message) {
    const Result<Token> token = token_of(services, input, message);
    return std::string(read_access(kService, services, *token, input).ok() ? "ok" : "refused");
  };
  EXPECT_EQ(verdict_in(message_with_call("call_1", {{"token", "of-a-person"}})), "ok");
  EXPECT_EQ(verdict_in(message_with_call("call_1", {{"token", "another"}})), "refused");
  EXPECT_EQ(verdict_in(message_with_call("call_1", {})), "refused");
  EXPECT_EQ(verdict_in(message_with_call("call_2", {{"token", "of-a-person"}})), "refused");
}

TEST(MessagingAccess, SendsTheOperatorsTokenWhereTheOperatorAllowed) {  // REQ: DEC-7
  Services services = services_with({{"FIRST_TOKEN", "operator-secret"}});
  services.hosts = net::HostPolicy({net::AllowedHost{.host = "127.0.0.1", .port = 8080}});
  EXPECT_EQ(verdict(services, "http://127.0.0.1:8080", {}), "ok");
  EXPECT_EQ(verdict(services, "http://127.0.0.1:8081", {}), "E_TOKEN_HOST");
}

TEST(MessagingAccess, TellsWhatToDoAboutAWrongHostWithoutTheToken) {  // REQ: BLT-5
  const Services services = services_with({{"FIRST_TOKEN", "operator-secret"}});
  const Result<Token> token = token_of(services, {});
  const Error error =
      read_access(kService, services, *token, {{"apiBaseUrl", "https://evil.example"}}).error();
  EXPECT_EQ(error.message,
            "the token in FIRST_TOKEN is not sent to https://evil.example:443, which is not a host "
            "of Pigeon");
  EXPECT_THAT(error.suggestion, HasSubstr("--allow-host evil.example:443"));
}

Result<Access> access(const JsonObject& input) {
  return read_access(kService, services_with({}), {.text = "mine"}, input);
}

TEST(MessagingAccess, DropsOneSlashAtTheEndOfTheBase) {
  EXPECT_EQ(access({{"apiBaseUrl", "https://a.example/"}})->base.path, "");
  EXPECT_EQ(access({{"apiBaseUrl", " https://a.example/x/ "}})->base.path, "/x");
  EXPECT_EQ(access({})->base.text(), "https://api.pigeon.example/v1");
}

TEST(MessagingAccess, RefusesABaseThatIsNone) {
  EXPECT_EQ(access({{"apiBaseUrl", "ftp://a.example"}}).error().code, ErrorCode::UrlInvalid);
  EXPECT_THAT(access({{"apiBaseUrl", "https://a.example/?x=1"}}).error().message,
              HasSubstr("'apiBaseUrl'"));
}

TEST(MessagingAccess, NeedsAPositiveTimeout) {
  EXPECT_EQ(access({})->timeout, kDefaultTimeout);
  EXPECT_EQ(access({{"timeoutMs", 1500.9}})->timeout, std::chrono::milliseconds(1500));
  EXPECT_EQ(access({{"timeoutMs", 0.5}})->timeout, std::chrono::milliseconds(1));
  EXPECT_EQ(access({{"timeoutMs", 1e300}})->timeout, kMaxTimeout);
  EXPECT_EQ(access({{"timeoutMs", 0}}).error().message, "'timeoutMs' must be a positive number");
  EXPECT_FALSE(access({{"timeoutMs", -1}}).ok());
}

}  // namespace
}  // namespace goondan::builtin::messaging
