#include "builtin/handles/handles.h"

#include "builtin/fake_runtime.h"

namespace goondan::builtin::handles {
namespace {

class Handles : public RuntimeToolTest {
 protected:
  Handles() : RuntimeToolTest("handles") {}
};

TEST_F(Handles, GiveTheResultOfWorkThatIsDone) {
  answers({{"handle", "h1"}, {"status", "ok"}, {"output", {{"n", 1}}}, {"agent", "a"}});
  EXPECT_EQ(output("wait", {{"handle", "h1"}}),
            R"({"handle":"h1","status":"ok","output":{"n":1}})");
  EXPECT_EQ(asked(), R"(handles.wait {"handle":"h1","timeoutMs":30000})");
  answers({{"handle", "h1"}, {"status", "ok"}, {"output", nullptr}});
  EXPECT_EQ(output("wait", {{"handle", "h1"}}), R"({"handle":"h1","status":"ok","output":null})");
  answers({{"status", "error"}, {"error", {{"code", "E_TOOL"}, {"message", "no"}}}});
  EXPECT_EQ(output("wait", {{"handle", "h1"}}),
            R"({"handle":"h1","status":"error","error":{"code":"E_TOOL","message":"no"}})");
}

TEST_F(Handles, SayThatTheWorkGoesOnAndThatIsNoError) {
  answers({{"handle", "h1"}, {"status", "pending"}});
  const ToolCallResult result = call("wait", {{"handle", "h1"}, {"timeoutMs", 5}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.output->at("status"), Json("pending"));
  EXPECT_NE(result.output->at("message").as_string().find("after 5 ms"), std::string::npos);
}

TEST_F(Handles, DoNotWaitLongerThanTheirCallMay) {
  timeout_ = std::chrono::milliseconds(20'000);
  answers({{"status", "pending"}});
  ASSERT_TRUE(call("wait", {{"handle", "h1"}, {"timeoutMs", 25'000}}).ok());
  EXPECT_LT(runtime_->asked.back().second.at("timeoutMs").as_int64(), 20'000);
}

TEST_F(Handles, AreCancelledAndListed) {
  answers({{"handle", "h1"}, {"status", "cancelled"}});
  EXPECT_EQ(output("cancel", {{"handle", "h1"}, {"reason", "late"}}),
            R"({"handle":"h1","status":"cancelled"})");
  EXPECT_EQ(asked(), R"(handles.cancel {"handle":"h1","reason":"late"})");
  answers({{"handles", {{{"handle", "h1"}, {"status", "pending"}}}}});
  EXPECT_EQ(output("list", {{"includeAll", true}}),
            R"({"count":1,"handles":[{"handle":"h1","status":"pending"}]})");
  EXPECT_EQ(asked(), R"(handles.list {"includeAll":true})");
}

TEST_F(Handles, PageThroughALargeResult) {
  answers({{"handle", "r1"},
           {"offset", 20000},
           {"length", 3},
           {"total", 20003},
           {"nextOffset", nullptr},
           {"content", "end"}});
  EXPECT_EQ(output("read", {{"handle", "r1"}, {"offset", 20000}}),
            R"({"handle":"r1","offset":20000,"length":3,"total":20003,"nextOffset":null,)"
            R"("content":"end"})");
  EXPECT_EQ(asked(), R"(handles.read {"handle":"r1","offset":20000,"length":20000})");
  ASSERT_TRUE(call("read", {{"handle", "r1"}, {"offset", 1e300}, {"length", 7}}).ok());
  EXPECT_EQ(asked(), R"(handles.read {"handle":"r1","offset":1000000000000000,"length":7})");
}

TEST_F(Handles, RefuseArgumentsThatMakeNoSense) {
  EXPECT_EQ(call("wait", {}).error->code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(call("wait", {{"handle", ""}}).error->code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(call("wait", {{"handle", "h"}, {"timeoutMs", 0}}).error->code,
            ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(call("read", {{"handle", "h"}, {"offset", -1}}).error->code,
            ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(call("read", {{"handle", "h"}, {"offset", 1.5}}).error->code,
            ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(call("read", {{"handle", "h"}, {"length", 100'001}}).error->code,
            ErrorCode::ToolInvalidArgs);
}

TEST_F(Handles, TellTheModelWhatTheRuntimeRefused) {
  const Error unknown{.code = ErrorCode::HandleNotFound, .message = "no handle 'h'"};
  fails(unknown);
  EXPECT_EQ(call("wait", {{"handle", "h"}}).error, unknown);
  EXPECT_EQ(call("cancel", {{"handle", "h"}}).error, unknown);
  EXPECT_EQ(call("read", {{"handle", "h"}}).error, unknown);
  runtime_ = nullptr;
  EXPECT_EQ(call("list", {}).error->code, ErrorCode::RuntimeUnavailable);
}

TEST_F(Handles, TakeARuntimeThatAnswersAnything) {
  answers({{"status", 5}, {"handles", "x"}, {"content", nullptr}});
  EXPECT_EQ(call("wait", {{"handle", "h"}}).output->at("status"), Json("pending"));
  EXPECT_EQ(call("list", {}).output->at("count"), Json(0));
  EXPECT_TRUE(call("read", {{"handle", "h"}}).ok());
}

}  // namespace
}  // namespace goondan::builtin::handles
