#include "extension/extension_fixture.h"
#include "extension/shipped/oauth_config.h"

namespace goondan {
namespace {

// Answers as the agent's OAuth service would.
class FakeTokens : public CallRuntime {
 public:
  Result<Json> request(const Caller& caller, std::string_view method, const Json& params) override {
    asked.push_back(std::string(method) + " " + caller.call.name + " " + to_text(params));
    return answer;
  }
  Json answer = JsonObject{{"status", "ready"}, {"accessToken", "token-1234567890"}};
  std::vector<std::string> asked;
};

class OAuthExtension : public test::Extensions {
 protected:
  void SetUp() override {
    runtime = tokens;
    const Json parameters = test::json(R"({
      "type": "object",
      "properties": {"text": {"type": "string"}, "token": {"type": "string"}},
      "required": ["text", "token"], "additionalProperties": false})");
    add_tool(
        "chat__send", "Sends.",
        [this](ToolContext&, const JsonObject& given) -> Result<Json> {
          got = to_text(given);
          return Json("sent");
        },
        parameters);
    add_tool("other__tool", "Other.");
    add("oauth", R"({"tools": [{"tool": "chat__send", "app": "chat", "scopes": ["write"]}]})");
  }

  std::shared_ptr<FakeTokens> tokens = std::make_shared<FakeTokens>();
  std::string got;
};

TEST_F(OAuthExtension, GivesTheTokenAsAnArgumentThatTheModelDoesNotSee) {  // REQ: OAUTH-1
  shown();
  const CatalogEntry* entry = catalog->find("chat__send");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(to_text(*entry->item().parameters).find("token"), std::string::npos);
  const ToolCallResult result = run("chat__send", {{"text", "hi"}});
  EXPECT_TRUE(result.ok()) << to_text(result.to_json());
  EXPECT_EQ(got, R"({"text":"hi","token":"token-1234567890"})");
  ASSERT_EQ(tokens->asked.size(), 1U);
  EXPECT_EQ(tokens->asked[0],
            R"(oauth.getAccessToken chat__send )"
            R"({"oauthAppRef":{"kind":"OAuthApp","name":"chat"},"scopes":["write"]})");
}

TEST_F(OAuthExtension, TheModelCannotSetTheToken) {  // REQ: OAUTH-7
  shown();
  const ToolCallResult result = run("chat__send", {{"text", "hi"}, {"token", "its own"}});
  EXPECT_EQ(result.error.value().code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(got, "");
}

TEST_F(OAuthExtension, WithoutConsentTheToolIsNotRunAndTheLinkIsItsResult) {  // REQ: OAUTH-4
  tokens->answer = test::json(R"({"status": "authorization_required", "authSessionId": "as-1",
    "authorizationUrl": "https://p.example/a", "message": "open it", "expiresAt": "t"})");
  shown();
  const ToolCallResult result = run("chat__send", {{"text", "hi"}});
  EXPECT_EQ(got, "");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.output->at("status"), "authorization_required");
  EXPECT_EQ(result.output->at("authorizationUrl"), "https://p.example/a");
}

TEST_F(OAuthExtension, WhatGoesWrongIsTheResultsError) {  // REQ: OAUTH-2
  tokens->answer = test::json(
      R"({"status": "error", "error": {"code": "subjectUnavailable", "message": "for nobody"}})");
  shown();
  const ToolCallResult result = run("chat__send", {{"text", "hi"}});
  EXPECT_EQ(got, "");
  EXPECT_EQ(result.error.value().code, ErrorCode::OAuth);
  EXPECT_EQ(result.error->message, "for nobody");
  EXPECT_NE(result.error->suggestion.find("--subject"), std::string::npos);
}

TEST_F(OAuthExtension, LeavesOtherToolsAlone) {
  shown();
  EXPECT_TRUE(run("other__tool").ok());
  EXPECT_TRUE(tokens->asked.empty());
}

TEST_F(OAuthExtension, ACatalogThatHasChangedIsMaskedAnew) {  // REQ: OAUTH-7
  EXPECT_EQ(shown(), shown());
  const std::size_t before = catalog->size();
  add_tool("chat__send", "Sends better.", {},
           test::json(R"({"type": "object", "properties": {"token": {"type": "string"}}})"));
  add_tool("late__tool", "Late.");
  shown();
  EXPECT_EQ(catalog->size(), before + 1);
  const CatalogItem& item = catalog->find("chat__send")->item();
  EXPECT_EQ(item.description, "Sends better.");
  EXPECT_EQ(to_text(*item.parameters).find("token"), std::string::npos);
}

TEST_F(OAuthExtension, OffersStatusAndConnect) {
  tokens->answer = JsonObject{{"apps", JsonArray{}}};
  shown();
  EXPECT_TRUE(run("oauth__status").ok());
  EXPECT_TRUE(run("oauth__connect", {{"app", "chat"}}).ok());
  EXPECT_EQ(run("oauth__connect").error.value().code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(tokens->asked,
            (std::vector<std::string>{R"(oauth.status oauth__status {"apps":[]})",
                                      R"(oauth.connect oauth__connect {"app":"chat","apps":[]})"}));
}

TEST(OAuthConfig, SaysWhatIsWrong) {
  const auto problem = [](std::string_view text) {
    const auto read = shipped::read_oauth_config("oauth", test::json(text).as_object());
    return read.ok() ? "" : read.error().message;
  };
  EXPECT_EQ(problem("{}"), "");
  EXPECT_NE(problem(R"({"tools": {}})").find("a list"), std::string::npos);
  EXPECT_NE(problem(R"({"tools": [1]})").find("a list of objects"), std::string::npos);
  EXPECT_NE(problem(R"({"tools": [{"app": "a"}]})").find("names no tool"), std::string::npos);
  EXPECT_NE(problem(R"({"tools": [{"tool": "t"}]})").find("names no OAuthApp"), std::string::npos);
  EXPECT_NE(
      problem(R"({"tools": [{"tool": "t", "app": "a"}, {"tool": "t", "app": "b"}]})").find("twice"),
      std::string::npos);
  EXPECT_NE(problem(R"({"tool": []})").find("tool"), std::string::npos);
}

}  // namespace
}  // namespace goondan
