// Handlers that do what a handler should.
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

#include <goondan/plugin.h>

namespace {

using goondan::Json;
using goondan::JsonObject;
using goondan::LogLevel;
using goondan::Result;
using goondan::ToolContext;

Result<Json> echo(ToolContext&, const JsonObject& input) {
  return input;
}

Result<Json> context(ToolContext& context, const JsonObject&) {
  const auto left = context.deadline() - goondan::Clock::now();
  return JsonObject{{"agentName", context.agent_name()},
                    {"instanceKey", context.instance_key()},
                    {"turnId", context.turn_id()},
                    {"traceId", context.trace_id()},
                    {"toolCallId", context.tool_call_id()},
                    {"workdir", context.workdir()},
                    {"message", context.message()},
                    {"hasTime", left > std::chrono::seconds(0)},
                    {"hasDeadline", context.deadline() != goondan::Deadline::max()}};
}

Result<Json> fails(ToolContext&, const JsonObject&) {
  return goondan::Error{.code = goondan::ErrorCode::Tool,
                        .message = "channel not found",
                        .suggestion = "List the channels first.",
                        .help_url = "https://example.com/channels",
                        .custom_code = "E_CHANNEL_NOT_FOUND",
                        .custom_name = "ChannelError"};
}

Result<Json> throws_exception(ToolContext&, const JsonObject&) {
  throw std::runtime_error("the disk is full");
}

Result<Json> throws_number(ToolContext&, const JsonObject&) {
  throw 42;
}

Result<Json> talks(ToolContext& context, const JsonObject& input) {
  context.log(LogLevel::Warn, "beginning");
  context.progress(1, 2, "half");
  context.progress(2, 2);
  context.log(LogLevel::Debug, std::string(input.at("text").as_string()));
  return "said";
}

Result<Json> asks(ToolContext& context, const JsonObject& input) {
  return context.request("agents.request", input);
}

Result<Json> prints(ToolContext&, const JsonObject&) {
  std::puts("printed with puts");
  std::fflush(stdout);
  std::cout << "printed with cout" << std::endl;
  int character = std::getchar();
  return JsonObject{{"stdinIsEmpty", character == EOF}};
}

// Says when it has begun, then works until it is told to stop.
Result<Json> waits_for_stop(ToolContext& context, const JsonObject&) {
  context.log(LogLevel::Info, "begun");
  while (!context.cancelled())
    context.sleep_for(std::chrono::seconds(60));
  context.log(LogLevel::Info, "stopped");
  return "stopped";
}

Result<Json> sleeps(ToolContext& context, const JsonObject& input) {
  const bool whole = context.sleep_for(std::chrono::milliseconds(input.at("ms").as_int64()));
  return JsonObject{{"whole", whole}};
}

Result<Json> large(ToolContext&, const JsonObject& input) {
  return std::string(static_cast<std::size_t>(input.at("bytes").as_int64()), 'x');
}

const auto kSize = [](ToolContext&, const JsonObject& input) -> Result<Json> {
  return input.at("text").as_string().size();
};

}  // namespace

GDN_PLUGIN({"echo", echo}, {"context", context}, {"fails", fails},
           {"throws_exception", throws_exception}, {"throws_number", throws_number},
           {"talks", talks}, {"asks", asks}, {"prints", prints}, {"waits_for_stop", waits_for_stop},
           {"sleeps", sleeps}, {"large", large}, {"size", kSize})
