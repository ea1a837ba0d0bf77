#include <gtest/gtest.h>

#include <goondan/tool.h>

namespace goondan {
namespace {

TEST(ToolName, IsReadBackAsItWasBuilt) {  // REQ: NAME-1, NAME-2
  EXPECT_EQ(ToolName::build("a", "_b").value(), "a___b");
  EXPECT_EQ(ToolName::parse("a___b"), (ToolName{"a", "_b"}));
  EXPECT_FALSE(ToolName::build("a_", "b").ok());
  EXPECT_EQ(ToolName::parse("a__b__c"), (ToolName{"a", "b__c"}));
}

TEST(ToolCall, ReadsArgumentsFromText) {
  EXPECT_EQ(ToolCall::from_text("1", "a__b", R"({"x":1})").input, Json({{"x", 1}}));
  EXPECT_EQ(ToolCall::from_text("1", "a__b", "  ").input, Json(JsonObject{}));
}

TEST(ToolCall, KeepsTheProblemOfTextThatIsNoJson) {  // REQ: CALL-5
  const ToolCall call = ToolCall::from_text("1", "a__b", "{\"x\": ");
  EXPECT_NE(call.input_problem.find("line 1"), std::string::npos) << call.input_problem;
}

TEST(ToolCallResult, LeavesOutWhatItDoesNotHave) {  // REQ: CALL-6, CALL-9
  const ToolCall call{.id = "c1", .name = "a__b"};
  EXPECT_EQ(to_text(ToolCallResult::success(call, 1).to_json()),
            R"({"toolCallId":"c1","toolName":"a__b","status":"ok","output":1})");
  EXPECT_EQ(to_text(ToolCallResult::pending(call, "h", std::nullopt).to_json()),
            R"({"toolCallId":"c1","toolName":"a__b","status":"pending","handle":"h"})");
  EXPECT_EQ(to_text(ToolCallResult::failure(call, tool_error("no")).to_json()),
            R"({"toolCallId":"c1","toolName":"a__b","status":"error",)"
            R"("error":{"code":"E_TOOL","name":"Error","message":"no"}})");
}

TEST(Truncate, CountsCodePointsAndNeverSplitsOne) {  // REQ: CALL-4, DEC-3
  std::string hangul;
  for (int i = 0; i < 40; ++i)
    hangul += "군";
  EXPECT_EQ(truncate_error_message(hangul, 40), hangul);
  EXPECT_EQ(truncate_error_message(hangul, 16), "군... (truncated)");
  EXPECT_EQ(truncate_error_message(hangul, 2), "군군");
  EXPECT_EQ(truncate_error_message("abc", 0), "");
}

TEST(Truncate, RepairsInvalidText) {  // REQ: DEC-3
  EXPECT_EQ(truncate_error_message("a\xFF", 10), "a\uFFFD");
}

TEST(ToolSource, SaysWhereAToolComesFrom) {  // REQ: CAT-5
  EXPECT_EQ(to_text(ToolSource{.name = "bash"}.to_json()), R"({"type":"config","name":"bash"})");
  const ToolSource mcp{.type = ToolSourceType::Mcp,
                       .name = "mcp-github",
                       .mcp_extension = "mcp-github",
                       .mcp_server = "github"};
  EXPECT_EQ(to_text(mcp.to_json()),
            R"({"type":"mcp","name":"mcp-github",)"
            R"("mcp":{"extensionName":"mcp-github","serverName":"github"}})");
}

}  // namespace
}  // namespace goondan
