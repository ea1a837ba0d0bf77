#include "host/mcp/mcp_call.h"

#include "host/mcp/clean_text.h"
#include "host/mcp/progress_gate.h"
#include "host/mcp/results.h"

namespace goondan {
namespace {

// A stop that comes from the call or from the server's end.
class EitherStop {
 public:
  EitherStop(const std::stop_token& one, const std::stop_token& other)
      : first_(one, Forward{both_}), second_(other, Forward{both_}) {}

  [[nodiscard]] std::stop_token token() const { return both_.get_token(); }

 private:
  struct Forward {
    std::stop_source target;
    void operator()() { target.request_stop(); }
  };

  std::stop_source both_;
  std::stop_callback<Forward> first_;
  std::stop_callback<Forward> second_;
};

Result<Json> raw_call(McpServer& server, const McpOfferedTool& tool, const ToolContext& context,
                      const JsonObject& arguments) {
  const EitherStop stop(context.stop(), server.stop_token());
  const std::shared_ptr<mcp::Client> client =
      GDN_TRY(server.connection(context.deadline(), stop.token()));
  GDN_TRY(server.may_call(tool.info.name, context.deadline(), stop.token()));
  const auto gate = std::make_shared<McpProgressGate>(context);
  Result<Json> answer =
      client->call_tool(tool.info, arguments,
                        {.deadline = context.deadline(),
                         .stop = stop.token(),
                         .on_progress = [gate](const Progress& news) { gate->pass(news); }});
  gate->close();
  if (answer.ok()) return answer;
  if (answer.error().code == ErrorCode::McpServer) server.lost(client, answer.error());
  if (server.stop_token().stop_requested() && !context.cancelled()) {
    return Error{.code = ErrorCode::McpServer,
                 .message = "MCP server '" + server.name() + "' was shut down during the call"};
  }
  return answer;
}

Result<Json> call(McpServer& server, const McpOfferedTool& tool, const ToolContext& context,
                  const JsonObject& arguments) {
  Result<Json> answer = raw_call(server, tool, context, arguments);
  if (!answer.ok()) {
    Error error = std::move(answer).error();
    error.message = clean_text(error.message).text;
    return error;
  }
  const std::string& workdir = server.parts().workdir;
  McpResultFiles files({.workdir = workdir.empty() ? context.workdir() : workdir,
                        .server = server.name(),
                        .tool = tool.info.name,
                        .call_id = std::string(context.tool_call_id())});
  McpOutput output = GDN_TRY(mcp_output(*answer, files));
  if (output.removed > 0) {
    server.parts().log->write(LogLevel::Warn, server.name(),
                              std::to_string(output.removed) +
                                  " hidden characters were removed from a result of '" +
                                  tool.visible + "'");
  }
  return std::move(output.value);
}

}  // namespace

ToolHandler mcp_tool_handler(std::shared_ptr<McpServer> server,
                             std::shared_ptr<const McpOfferedTool> tool) {
  return [server = std::move(server), tool = std::move(tool)](ToolContext& context,
                                                              const JsonObject& arguments) {
    return call(*server, *tool, context, arguments);
  };
}

}  // namespace goondan
