#include "host/native/protocol.h"

#include <limits>

#include <gtest/gtest.h>

#include "host/native/plugin_json.h"

namespace goondan {
namespace {

ipc::Frame frame(Message kind, std::string_view first, std::string_view second = {}) {
  return {.kind = static_cast<std::uint32_t>(kind), .id = 1, .parts = {first, second}};
}

TEST(Protocol, HelloComesBackAsItWas) {
  const std::string text = hello_text(Hello{.abi_version = 1, .exports = {"a", "b.c"}});
  const Hello hello = parse_hello(frame(Message::Hello, text)).value();
  EXPECT_EQ(hello.abi_version, 1u);
  EXPECT_EQ(hello.exports, (std::vector<std::string>{"a", "b.c"}));
}

TEST(Protocol, ALoadErrorComesBackAsItWas) {
  const Error error{.code = ErrorCode::PluginAbiVersion, .message = "m", .suggestion = "s"};
  const std::string text = hello_text(error);
  EXPECT_EQ(parse_hello(frame(Message::Hello, text)).error(), error);
}

TEST(Protocol, RefusesAStrangeHello) {
  for (const std::string_view text :
       {"", "{}", "[]", "{\"abiVersion\":1}", "{\"abiVersion\":\"1\",\"exports\":[]}",
        "{\"abiVersion\":1,\"exports\":[1]}", "{\"error\":1}", "{\"error\":{}}"}) {
    EXPECT_EQ(parse_hello(frame(Message::Hello, text)).error().code, ErrorCode::ToolBadReply);
  }
  EXPECT_FALSE(parse_hello(frame(Message::Log, "{}")).ok());
}

TEST(Protocol, TellsATooolsErrorFromABrokenReply) {
  const auto reply = [](std::string_view status, std::string_view json) {
    const Result<RawReply> raw = parse_raw_reply(frame(Message::Reply, status, json));
    return raw.ok() ? parse_tool_reply(*raw) : Result<ToolReply>(raw.error());
  };
  EXPECT_EQ(reply("0", "{\"a\":1}").value().outcome.value(), Json(JsonObject{{"a", 1}}));
  EXPECT_EQ(reply("1", "{\"message\":\"no\"}").value().outcome.error(), tool_error("no"));
  EXPECT_EQ(reply("0", "{").error().code, ErrorCode::ToolBadReply);
  EXPECT_EQ(reply("0", "").error().code, ErrorCode::ToolBadReply);
  EXPECT_EQ(reply("1", "{}").error().code, ErrorCode::ToolBadReply);
  EXPECT_EQ(reply("", "1").error().code, ErrorCode::ToolBadReply);
  EXPECT_EQ(reply("2", "1").error().code, ErrorCode::ToolBadReply);
}

TEST(Protocol, ReadsLogsAndRepairsTheirText) {
  const LogMessage message = parse_log(frame(Message::Log, level_part(2), "a\xFF")).value();
  EXPECT_EQ(message.level, LogLevel::Warn);
  EXPECT_EQ(message.text, "a\uFFFD");
  EXPECT_EQ(level_part(-5), "0");
  EXPECT_EQ(level_part(99), "3");
  EXPECT_FALSE(parse_log(frame(Message::Log, "9", "x")).ok());
  EXPECT_FALSE(parse_log(frame(Message::Log, "", "x")).ok());
}

TEST(Protocol, CutsLongLogsBetweenCharacters) {
  std::string text(kMaxLogBytes - 1, 'x');
  text += "군단";
  EXPECT_EQ(parse_log(frame(Message::Log, "0", text)).value().text,
            std::string(kMaxLogBytes - 1, 'x'));
}

TEST(Protocol, ReadsProgressAndForgetsWhatIsNoNumber) {
  const std::string numbers = progress_part(1.5, 3);
  const Progress progress = parse_progress(frame(Message::Progress, numbers, "half")).value();
  EXPECT_EQ(progress.done, 1.5);
  EXPECT_EQ(progress.total, 3);
  EXPECT_EQ(progress.text, "half");
  const std::string strange = progress_part(std::numeric_limits<double>::quiet_NaN(),
                                            std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_progress(frame(Message::Progress, strange)).value().total, 0);
  EXPECT_FALSE(parse_progress(frame(Message::Progress, "short")).ok());
}

}  // namespace
}  // namespace goondan
