#include "mcp/client.h"

#include "base/json_fields.h"
#include "mcp/exchange.h"
#include "mcp/handshake.h"
#include "mcp/header_params.h"
#include "mcp/http_transport.h"
#include "mcp/input_requests.h"
#include "mcp/output_checks.h"
#include "mcp/server_messages.h"
#include "mcp/stdio_transport.h"
#include "mcp/subscription.h"
#include "mcp/tool_list.h"

namespace goondan::mcp {
namespace {

class ServerClient final : public Client {
 public:
  explicit ServerClient(ConnectOptions options)
      : options_(std::move(options)),
        log_(options_.log),
        outputs_(log_),
        messages_({.services = options_.services,
                   .log = log_,
                   .on_tools_changed = options_.on_tools_changed}) {}

  ~ServerClient() override {
    subscription_.reset();
    messages_.close();
    transport_.reset();  // until then its threads may bring messages
  }

  Result<void> open(const Server& server, Era era);

  [[nodiscard]] const ServerInfo& info() const override { return info_; }
  [[nodiscard]] bool alive() const override { return transport_->alive(); }

  Result<ToolList> list_tools(const RequestOptions& options) override;
  Result<Json> call_tool(const ToolInfo& tool, const JsonObject& arguments,
                         const RequestOptions& options) override;
  Result<Json> request(std::string_view method, JsonObject params,
                       const RequestOptions& options) override;

 private:
  enum class Over { Pipes, Http };

  Result<std::unique_ptr<Transport>> make_transport(const Server& server);
  Result<JsonObject> finish(std::string_view method, JsonObject params,
                            const RequestOptions& options, const Headers& headers = {});
  [[nodiscard]] bool mirrors_arguments() const {
    return over_ == Over::Http && info_.era == Era::Modern;
  }
  void begin_listening();

  const ConnectOptions options_;
  ServerLog log_;
  OutputChecks outputs_;
  ServerMessages messages_;
  Over over_ = Over::Pipes;
  ServerInfo info_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Exchange> exchange_;
  std::unique_ptr<Subscription> subscription_;
};

Result<std::unique_ptr<Transport>> ServerClient::make_transport(const Server& server) {
  const OnMessage on_message = [this](const Json& message) { messages_.take(message); };
  if (over_ == Over::Pipes) return start_stdio(server, on_message, options_.log);
  return open_http(server, options_.hosts, on_message, options_.log);
}

Result<void> ServerClient::open(const Server& server, Era era) {
  over_ = server.command.empty() ? Over::Http : Over::Pipes;
  transport_ = GDN_TRY(make_transport(server));
  exchange_ = std::make_unique<Exchange>(*transport_, server.name);
  messages_.attach(exchange_.get());
  const auto usual = over_ == Over::Pipes ? kPipeProbeTime : kHttpProbeTime;
  info_ = GDN_TRY(shake_hands(*exchange_, {.deadline = options_.deadline,
                                           .stop = options_.stop,
                                           .probe_time = options_.probe_time.value_or(usual),
                                           .era = era,
                                           .services = options_.services}));
  begin_listening();
  return {};
}

void ServerClient::begin_listening() {
  const JsonObject* tools = object_field(info_.capabilities, "tools");
  if (info_.era != Era::Modern || !options_.on_tools_changed || tools == nullptr) return;
  if (!true_field(*tools, "listChanged")) return;
  subscription_ = std::make_unique<Subscription>(Subscription::Parts{
      .exchange = *exchange_, .log = log_, .on_tools_changed = options_.on_tools_changed});
}

// Asks until the answer is complete.
Result<JsonObject> ServerClient::finish(std::string_view method, JsonObject params,
                                        const RequestOptions& options, const Headers& headers) {
  const bool may_ask =
      method == "tools/call" || method == "prompts/get" || method == "resources/read";
  for (int round = 0; round <= kMaxInputRounds; ++round) {
    Exchange::Answer answer = GDN_TRY(exchange_->request(method, params, options, headers));
    if (answer.type == Exchange::Answer::Type::Complete) return std::move(answer.result);
    if (!may_ask) {
      return Error{.code = ErrorCode::Mcp,
                   .message = "'" + exchange_->server() + "' requires input for '" +
                              std::string(method) + "', which no server may"};
    }
    params = GDN_TRY(params_with_inputs(options_.services, params, answer.result));
  }
  return Error{.code = ErrorCode::Mcp,
               .message = "'" + exchange_->server() + "' required input more than " +
                          std::to_string(kMaxInputRounds) + " times for one '" +
                          std::string(method) + "'"};
}

Result<ToolList> ServerClient::list_tools(const RequestOptions& options) {
  const AskPage ask = [this, &options](JsonObject params) {
    return finish("tools/list", std::move(params), options);
  };
  return read_tools(ask, mirrors_arguments() ? MirrorArguments::Yes : MirrorArguments::No);
}

Result<Json> ServerClient::call_tool(const ToolInfo& tool, const JsonObject& arguments,
                                     const RequestOptions& options) {
  Headers headers;
  if (mirrors_arguments()) {
    const std::vector<HeaderParam> params =
        GDN_TRY(header_params(object_or_empty(tool.input_schema)));
    headers = param_headers(params, arguments);
  }
  JsonObject result = GDN_TRY(
      finish("tools/call", {{"name", tool.name}, {"arguments", arguments}}, options, headers));
  GDN_TRY(outputs_.check(tool, result));
  return Json(std::move(result));
}

Result<Json> ServerClient::request(std::string_view method, JsonObject params,
                                   const RequestOptions& options) {
  JsonObject result = GDN_TRY(finish(method, std::move(params), options));
  return Json(std::move(result));
}

}  // namespace

Result<std::unique_ptr<Client>> Client::connect(const Server& server, ConnectOptions options) {
  if (server.command.empty() == server.url.empty()) {
    return Error{.code = ErrorCode::McpServer,
                 .message = "the server '" + server.name + "' has " +
                            (server.url.empty() ? "neither a command nor an address"
                                                : "both a command and an address"),
                 .suggestion = "Give it either a `command` or a `url`."};
  }
  auto client = std::make_unique<ServerClient>(options);
  Result<void> opened = client->open(server, options.era);
  const bool died = !opened.ok() && opened.error().code == ErrorCode::McpServer;
  if (died && options.era == Era::Unknown && !server.command.empty()) {
    // It may be one that ends when the first thing it reads is not `initialize`.
    client = std::make_unique<ServerClient>(options);
    opened = client->open(server, Era::Legacy);
  }
  if (!opened.ok()) return std::move(opened).error();
  return std::unique_ptr<Client>(std::move(client));
}

}  // namespace goondan::mcp
