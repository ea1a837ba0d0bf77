#include "model/endpoint.h"

#include <gtest/gtest.h>

#include "model/anthropic_provider.h"
#include "model/openai_provider.h"

namespace goondan {
namespace {

std::string openai(std::string_view text) {
  return make_endpoint(text, kOpenAiEndpoint).value().url.text();
}

std::string anthropic(std::string_view text) {
  return make_endpoint(text, kAnthropicEndpoint).value().url.text();
}

TEST(Endpoint, IsTheProvidersOwnIfNoneIsGiven) {
  EXPECT_EQ(openai(""), "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(anthropic(""), "https://api.anthropic.com/v1/messages");
}

TEST(Endpoint, IsUnderstoodWithAndWithoutItsPath) {
  for (const std::string_view text :
       {"http://localhost:11434", "http://localhost:11434/", "http://localhost:11434/v1",
        "http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"}) {
    EXPECT_EQ(openai(text), "http://localhost:11434/v1/chat/completions");
  }
  for (const std::string_view text :
       {"http://[::1]:8080", "http://[::1]:8080/v1", "http://[::1]:8080/v1/messages/"}) {
    EXPECT_EQ(anthropic(text), "http://[::1]:8080/v1/messages");
  }
  EXPECT_EQ(openai("https://openrouter.ai/api/v1"),
            "https://openrouter.ai/api/v1/chat/completions");
  EXPECT_EQ(openai("https://host/v1beta/openai/"), "https://host/v1beta/openai/chat/completions");
  EXPECT_EQ(openai("https://host/deployments/d/chat/completions?api-version=1"),
            "https://host/deployments/d/chat/completions?api-version=1");
  EXPECT_EQ(anthropic("https://host/anthropic"), "https://host/anthropic/v1/messages");
}

TEST(Endpoint, LetsRequestsReachItsHostAndPortOnly) {
  const Endpoint endpoint = make_endpoint("http://localhost:11434", kOpenAiEndpoint).value();
  EXPECT_EQ(endpoint.kind, Endpoint::Kind::Own);
  EXPECT_TRUE(endpoint.policy.allows(endpoint.url));
  EXPECT_FALSE(endpoint.policy.allows(net::Url::parse("http://localhost:11435").value()));
  EXPECT_FALSE(endpoint.policy.allows(net::Url::parse("http://127.0.0.1:11434").value()));
  const Endpoint own = make_endpoint("", kOpenAiEndpoint).value();
  EXPECT_EQ(own.kind, Endpoint::Kind::Default);
  EXPECT_FALSE(own.policy.allows(own.url));
  EXPECT_TRUE(own.policy.judge_name(own.url).ok());
}

TEST(Endpoint, IsRefusedIfItIsNoUrlOfTheWeb) {
  for (const std::string_view text : {"localhost:11434", "ftp://host/v1", "https://key@host/v1"}) {
    const Result<Endpoint> endpoint = make_endpoint(text, kOpenAiEndpoint);
    ASSERT_FALSE(endpoint.ok()) << text;
    EXPECT_EQ(endpoint.error().code, ErrorCode::ModelConfig);
    EXPECT_TRUE(endpoint.error().message.starts_with("`endpoint` is no URL that can be used: "));
  }
}

}  // namespace
}  // namespace goondan
