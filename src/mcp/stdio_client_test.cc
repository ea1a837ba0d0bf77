#include <thread>

#include "mcp/client_fixture.h"
#include "mcp/input_requests.h"

namespace goondan::mcp {
namespace {

class StdioClientTest : public ClientTest {};

TEST_F(StdioClientTest, CallsTools) {
  connect({"legacy"});
  EXPECT_EQ(text(call("echo", {{"text", "가\n\"나\""}})), "가\n\"나\"");
  const Result<Json> failed = call("failed");
  ASSERT_TRUE(failed.ok());
  EXPECT_TRUE(failed->at("isError").as_bool());
}

TEST_F(StdioClientTest, PassesOnTheErrorsOfTheServer) {
  connect({"legacy"});
  const Result<Json> unknown = call("no-such-tool");
  EXPECT_EQ(unknown.error().code, ErrorCode::Mcp);
  EXPECT_EQ(unknown.error().message,
            "'fake' refuses 'tools/call': Unknown tool: no-such-tool (error -32602)");
  EXPECT_EQ(client_->request("resources/list", {}, {.deadline = soon()}).error().code,
            ErrorCode::Mcp);
}

TEST_F(StdioClientTest, TakesManyRequestsAtOnce) {
  connect({"legacy"});
  std::atomic<int> right = 0;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([this, thread, &right] {
      for (int number = 0; number < 50; ++number) {
        const std::string mine = std::to_string(thread * 1000 + number);
        if (text(call("echo", {{"text", mine}})) == mine) ++right;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 400);
}

TEST_F(StdioClientTest, GivesTheServerItsEnvironmentAndNothingElse) {
  connect({"legacy"});
  const Json seen = parse_json(text(call("environment"))).value();
  EXPECT_TRUE(seen.as_object().contains("PATH"));
  EXPECT_FALSE(seen.as_object().contains("GOONDAN_GDN")) << to_text(seen);
  EXPECT_FALSE(seen.as_object().contains("HOME")) << to_text(seen);
}

TEST_F(StdioClientTest, ReportsProgressOfTheRequestThatItBelongsTo) {
  connect({"legacy"});
  std::vector<std::string> heard;  // all of it comes before the answer, on the reading thread
  const RequestOptions options{.on_progress = [&heard](const Progress& progress) {
    heard.push_back(std::to_string(static_cast<int>(progress.done)) + "/" +
                    std::to_string(static_cast<int>(progress.total)) + " " + progress.text);
  }};
  EXPECT_EQ(text(call("progress", {{"text", "done"}}, options)), "done");
  EXPECT_EQ(heard, (std::vector<std::string>{"1/3 part 1", "2/3 part 2", "3/3 part 3"}));
}

TEST_F(StdioClientTest, HearsThatToolsHaveChanged) {
  connect({"legacy"});
  EXPECT_TRUE(call("changed").ok());
  EXPECT_TRUE(log_.wait_for("<changed>"));
}

TEST_F(StdioClientTest, HearsThatToolsOfAModernServerHaveChanged) {
  connect({"modern"});
  EXPECT_TRUE(log_.wait_for("<changed>"));
}

TEST_F(StdioClientTest, NotesWhatTheServerSays) {
  connect({"legacy"});
  EXPECT_TRUE(call("log").ok());
  EXPECT_TRUE(log_.wait_for("disk: nearly full"));
  EXPECT_TRUE(log_.wait_for("plain  [31mwords"));
}

TEST_F(StdioClientTest, AnswersTheRequestsOfALegacyServer) {
  options_.services = {.roots = {"/a"}, .elicit = [](const Json& params) -> Result<Json> {
                         return JsonObject{{"action", "accept"}, {"content", params}};
                       }};
  connect({"legacy"});
  const auto answer = [this](const JsonObject& arguments) {
    return parse_json(text(call("ask", arguments))).value().as_object();
  };
  EXPECT_EQ(to_text(answer({{"method", "ping"}}).at("result")), "{}");
  EXPECT_TRUE(answer({{"method", "roots/list"}}).at("result").as_object().contains("roots"));
  EXPECT_EQ(to_text(answer({{"method", "elicitation/create"}, {"params", JsonObject{{"a", 1}}}})
                        .at("result")),
            R"({"action":"accept","content":{"a":1}})");
  for (const char* method : {"sampling/createMessage", "tools/call"}) {
    EXPECT_EQ(answer({{"method", method}}).at("error").at("code").to_number<int>(), -32601);
  }
}

TEST_F(StdioClientTest, TellsTheServerThatARequestIsCancelled) {
  connect({"legacy"});
  std::string seen;
  std::atomic<bool> done = false;
  std::jthread watcher([&] {
    seen = text(call("seen"));
    done = true;
  });
  while (!done) {
    const RequestOptions late{.deadline = Clock::now() + std::chrono::milliseconds(5)};
    EXPECT_EQ(call("never", {}, late).error().code, ErrorCode::ToolTimeout);
  }
  watcher.join();
  const Json note = parse_json(seen).value();
  EXPECT_EQ(note.at("method").as_string(), "notifications/cancelled");
  EXPECT_TRUE(note.at("params").at("requestId").is_int64());
}

TEST_F(StdioClientTest, ChecksStructuredResults) {
  connect({"legacy"});
  EXPECT_TRUE(call("structured", {{"value", JsonObject{{"n", 1}}}}).ok());
  const Result<Json> bad = call("structured", {{"value", JsonObject{{"n", "one"}}}});
  EXPECT_EQ(bad.error().code, ErrorCode::Mcp);
  EXPECT_NE(bad.error().message.find("result.n"), std::string::npos) << bad.error().message;
  ToolInfo odd{.name = "structured", .input_schema = JsonObject{}};
  odd.output_schema = JsonObject{{"type", 5}};
  for (int count = 0; count < 2; ++count) {
    EXPECT_TRUE(client_->call_tool(odd, {{"value", 1}}, {.deadline = soon()}).ok());
  }
  const std::vector<std::string> notes = log_.all();
  EXPECT_EQ(std::ranges::count_if(
                notes, [](const std::string& one) { return one.find("not checked") != one.npos; }),
            1);
}

TEST_F(StdioClientTest, ReadsAllPages) {
  connect({"pages", "ends"});
  std::vector<std::string> names;
  for (const ToolInfo& tool : tools_)
    names.push_back(tool.name);
  EXPECT_EQ(names, (std::vector<std::string>{"after-None", "after-", "after-second"}));
}

TEST_F(StdioClientTest, ReadsNoListWithoutAnEnd) {
  for (const char* kind : {"loops", "endless", "number"}) {
    client_ = try_connect({"pages", kind}).value();
    EXPECT_EQ(client_->list_tools({.deadline = soon()}).error().code, ErrorCode::Mcp) << kind;
  }
}

TEST_F(StdioClientTest, SaysWhatItIsInEveryModernRequest) {
  options_.services.roots = {"/a"};
  connect({"modern"});
  const Json meta = parse_json(text(call("meta"))).value();
  EXPECT_EQ(meta.at("io.modelcontextprotocol/protocolVersion").as_string(), kModernVersion);
  EXPECT_EQ(to_text(meta.at("io.modelcontextprotocol/clientCapabilities")), R"({"roots":{}})");
  EXPECT_EQ(meta.at("io.modelcontextprotocol/clientInfo").at("name").as_string(), "goondan");
  EXPECT_FALSE(meta.as_object().contains("progressToken"));
}

TEST_F(StdioClientTest, GivesAModernServerTheInputThatItRequires) {
  options_.services = {
      .roots = {"/a"},
      .elicit = [](const Json&) -> Result<Json> {
        return JsonObject{{"action", "accept"}, {"content", JsonObject{{"name", "가"}}}};
      },
      .sample = [](const Json&) -> Result<Json> {
        return JsonObject{{"role", "assistant"}};
      }};
  connect({"modern"});
  const JsonArray rounds = parse_json(text(call("inputs"))).value().as_array();
  ASSERT_EQ(rounds.size(), 4u);
  EXPECT_TRUE(rounds[0].at("inputs").is_null());
  EXPECT_EQ(to_text(rounds[1].at("inputs")),
            R"({"one":{"action":"accept","content":{"name":"가"}}})");
  EXPECT_EQ(rounds[2].at("inputs").as_object().size(), 2u);
  EXPECT_TRUE(rounds[3].at("inputs").is_null());
  EXPECT_NE(rounds[0].at("id"), rounds[1].at("id"));
}

TEST_F(StdioClientTest, GivesNoInputThatWasNotDeclaredAndNotForEver) {
  connect({"modern"});
  for (const char* tool : {"inputs", "insatiable", "wants_nothing", "new_result"}) {
    EXPECT_EQ(call(tool).error().code, ErrorCode::Mcp) << tool;
  }
  EXPECT_EQ(text(call("asks")), "asked");
}

TEST_F(StdioClientTest, RepeatsAModernRequestWhoseVersionIsRefusedAndOffered) {
  options_.era = Era::Modern;
  connect({"modern", "", "-32022"});
  EXPECT_EQ(text(call("echo", {{"text", "x"}})), "x");
}

}  // namespace
}  // namespace goondan::mcp
