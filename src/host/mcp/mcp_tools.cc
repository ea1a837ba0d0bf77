#include "host/mcp/mcp_tools.h"

#include <utility>

#include "host/mcp/mcp_registration.h"
#include "host/mcp/mcp_tools_impl.h"

namespace goondan {
namespace {

McpServerState::Status shown_status(McpServer::View::Status status) {
  switch (status) {
    case McpServer::View::Status::Connecting:
      return McpServerState::Status::Connecting;
    case McpServer::View::Status::Connected:
      return McpServerState::Status::Connected;
    case McpServer::View::Status::Failed:
      break;
  }
  return McpServerState::Status::Failed;
}

// What a required server is missing, if anything.
Result<void> check_needed(const McpServer& server, const McpServer::View& view) {
  if (server.parts().resource.need != McpServerResource::Need::Required) return {};
  if (view.listing != nullptr && view.listing->pins_problem) return *view.listing->pins_problem;
  if (view.status == McpServer::View::Status::Connected) return {};
  return Error{.code = ErrorCode::McpServer,
               .message = "MCP server '" + server.name() + "', which Extension/" +
                          server.parts().rules.scope.extension + " requires, is not there: " +
                          (view.problem.empty() ? "it is still being connected to" : view.problem),
               .suggestion = "Try it with `gdn mcp tools " + server.name() +
                             "`; `required: false` lets the agent work without it."};
}

class ServersOfExtension final : public McpTools {
 public:
  explicit ServersOfExtension(std::shared_ptr<McpLog> log) : log_(std::move(log)) {}
  ServersOfExtension(const ServersOfExtension&) = delete;
  ServersOfExtension& operator=(const ServersOfExtension&) = delete;

  ~ServersOfExtension() override {
    for (const McpRegistration& one : servers_)
      one.server().shut_down();
    const Deadline end = Clock::now() + kMcpEndTime;
    for (const McpRegistration& one : servers_)
      one.server().wait_for_end(end);
    log_->close();
  }

  void add(McpRegistration server) {
    server.server().begin_catching_up();
    servers_.push_back(std::move(server));
  }

  Result<void> before_step(Deadline deadline, const std::stop_token& stop) override {
    const std::lock_guard stepping(step_mutex_);
    if (std::exchange(first_, First::No) == First::No) {  // else all has been begun already
      for (const McpRegistration& one : servers_)
        one.server().begin_catching_up();
    }
    for (const McpRegistration& one : servers_)
      one.server().catch_up(deadline, stop);
    Result<void> outcome;
    for (McpRegistration& one : servers_) {
      const McpServer::View view = one.server().view();
      {
        const std::lock_guard lock(mutex_);
        one.apply(view);
      }
      Result<void> checked = check_needed(one.server(), view);
      if (outcome.ok() && !stop.stop_requested()) outcome = std::move(checked);
    }
    return outcome;
  }

  [[nodiscard]] std::vector<McpServerState> state() const override {
    const std::lock_guard lock(mutex_);
    std::vector<McpServerState> states;
    for (const McpRegistration& one : servers_) {
      McpServer::View view = one.server().view();
      states.push_back({.name = one.server().name(),
                        .status = shown_status(view.status),
                        .problem = std::move(view.problem),
                        .info = std::move(view.info),
                        .tools = one.names(),
                        .disabled = one.disabled()});
    }
    return states;
  }

 private:
  const std::shared_ptr<McpLog> log_;
  std::vector<McpRegistration> servers_;  // never changes once started
  std::mutex step_mutex_;                 // one step at a time
  enum class First { No, Yes } first_ = First::Yes;
  mutable std::mutex mutex_;  // guards what the registrations know
};

McpServerParts parts_of(const McpToolsOptions& options, const McpServerResource& resource,
                        McpServerStart start) {
  return {.resource = resource,
          .start = std::move(start),
          .rules = {.scope = {.bundle = mcp_pin_bundle(options.bundle_root),
                              .extension = options.extension,
                              .server = resource.name,
                              .trust = resource.trust},
                    .pins = options.pins,
                    .only_tools = resource.only_tools},
          .workdir = options.workdir};
}

}  // namespace

Result<std::unique_ptr<McpTools>> start_mcp_tools(McpToolsOptions options, ToolRegistry& registry,
                                                  const McpConnect& connect) {
  const auto log = std::make_shared<McpLog>(options.log);
  std::vector<McpServerParts> all;
  for (const McpServerResource& resource : options.servers) {
    McpServerStart start = GDN_TRY(prepare_mcp_server(resource, {.bundle_root = options.bundle_root,
                                                                 .environment = options.environment,
                                                                 .hosts = options.hosts}));
    all.push_back(parts_of(options, resource, std::move(start)));
    all.back().log = log;
    all.back().connect = connect;
  }
  auto servers = std::make_unique<ServersOfExtension>(log);
  for (McpServerParts& parts : all)
    servers->add({std::make_shared<McpServer>(std::move(parts)), options.extension, registry});
  return std::unique_ptr<McpTools>(std::move(servers));
}

Result<std::unique_ptr<McpTools>> McpTools::start(McpToolsOptions options, ToolRegistry& registry) {
  return start_mcp_tools(std::move(options), registry, &mcp::Client::connect);
}

}  // namespace goondan
