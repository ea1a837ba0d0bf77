#include "builtin/http_fetch/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::builtin::http_fetch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kUrl = "https://example.com/";

Call read(std::string_view method, JsonObject input) {
  if (!input.contains("url")) input["url"] = kUrl;
  Result<Call> call = read_call(method, input);
  EXPECT_TRUE(call.ok()) << call.error().message;
  return call.ok() ? *std::move(call) : Call();
}

Error refusal(std::string_view method, JsonObject input) {
  if (!input.contains("url")) input["url"] = kUrl;
  const Result<Call> call = read_call(method, input);
  EXPECT_FALSE(call.ok());
  return call.ok() ? Error() : call.error();
}

TEST(HttpFetchRequest, HasTheDefaultsOfTheTool) {
  const Call call = read("GET", {});
  EXPECT_EQ(call.timeout, std::chrono::milliseconds(30'000));
  EXPECT_EQ(call.request.max_body, 500'000U);
  EXPECT_EQ(call.request.method, "GET");
  EXPECT_EQ(call.request.overflow, net::Overflow::Cut);
  EXPECT_THAT(call.request.headers, IsEmpty());
}

TEST(HttpFetchRequest, RefusesWhatIsNoUrlInTheWordsOfTheTool) {
  EXPECT_EQ(refusal("GET", {{"url", ""}}).message, "'url' must be a non-empty string");
  EXPECT_EQ(refusal("GET", {{"url", "not a url"}}).message, "Invalid URL: not a url");
  EXPECT_EQ(refusal("GET", {{"url", "ftp://x/y"}}).message,
            "Unsupported protocol 'ftp:'. Only http: and https: are allowed.");
}

TEST(HttpFetchRequest, LooksAtTheArgumentsInOrder) {
  EXPECT_THAT(refusal("POST", {{"url", "ftp://x"}, {"timeoutMs", 0}}).message, HasSubstr("ftp"));
  EXPECT_THAT(refusal("POST", {{"timeoutMs", 0}, {"maxBytes", -1}}).message,
              HasSubstr("'timeoutMs'"));
  EXPECT_THAT(refusal("POST", {{"maxBytes", -1}}).message, HasSubstr("'maxBytes'"));
}

TEST(HttpFetchRequest, TakesTextNumbersAndBooleansAsHeaderValues) {
  const Call call = read("GET", {{"headers",
                                  {{"X-Text", "v"},
                                   {"X-Int", 5},
                                   {"X-Real", 1.5},
                                   {"X-Whole", 2.0},
                                   {"X-Zero", -0.0},
                                   {"X-Large", 1e21},
                                   {"X-Flag", true},
                                   {"X-Null", nullptr},
                                   {"X-List", JsonArray{1}},
                                   {"X-Object", JsonObject{}}}}});
  EXPECT_THAT(call.request.headers, ElementsAre(net::Header{.name = "X-Text", .value = "v"},
                                                net::Header{.name = "X-Int", .value = "5"},
                                                net::Header{.name = "X-Real", .value = "1.5"},
                                                net::Header{.name = "X-Whole", .value = "2"},
                                                net::Header{.name = "X-Zero", .value = "0"},
                                                net::Header{.name = "X-Large", .value = "1e+21"},
                                                net::Header{.name = "X-Flag", .value = "true"}));
}

TEST(HttpFetchRequest, BoundsTimeAndBytes) {
  EXPECT_EQ(read("GET", {{"timeoutMs", 0.5}}).timeout, std::chrono::milliseconds(1));
  EXPECT_EQ(read("GET", {{"timeoutMs", 1e300}}).timeout, kMaxTimeout);
  EXPECT_EQ(refusal("GET", {{"timeoutMs", -1}}).code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(read("GET", {{"maxBytes", 0}}).request.max_body, 0U);
  EXPECT_EQ(read("GET", {{"maxBytes", 10.9}}).request.max_body, 10U);
  EXPECT_EQ(read("GET", {{"maxBytes", 20'000'000}}).request.max_body, 20'000'000U);
  EXPECT_EQ(refusal("GET", {{"maxBytes", 20'000'001}}).code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(refusal("GET", {{"maxBytes", -0.5}}).code, ErrorCode::ToolInvalidArgs);
}

TEST(HttpFetchRequest, SendsAnObjectAsJson) {
  const Call call = read("POST", {{"body", {{"a", 1}}}, {"bodyString", "raw"}});
  EXPECT_EQ(call.request.body, R"({"a":1})");
  EXPECT_THAT(call.request.headers,
              ElementsAre(net::Header{.name = "content-type", .value = "application/json"}));
  EXPECT_EQ(read("POST", {{"body", JsonObject{}}}).request.body, "{}");
}

TEST(HttpFetchRequest, SendsTextAsItIs) {
  const Call call = read("POST", {{"bodyString", "raw text"}});
  EXPECT_EQ(call.request.body, "raw text");
  EXPECT_THAT(call.request.headers, ElementsAre(net::Header{.name = "content-type",
                                                            .value = "text/plain;charset=UTF-8"}));
  EXPECT_THAT(read("POST", {{"bodyString", ""}}).request.headers, IsEmpty());
  EXPECT_THAT(read("POST", {}).request.headers, IsEmpty());
}

TEST(HttpFetchRequest, KeepsTheCallersContentTypeHoweverItIsSpelt) {
  for (const std::string_view name : {"Content-Type", "content-type", "CONTENT-TYPE"}) {
    const Call call = read("POST", {{"body", {{"a", 1}}}, {"headers", {{name, "x/y"}}}});
    EXPECT_THAT(call.request.headers,
                ElementsAre(net::Header{.name = std::string(name), .value = "x/y"}));
  }
}

}  // namespace
}  // namespace goondan::builtin::http_fetch
