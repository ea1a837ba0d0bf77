// What is done on threads of their own because the server is waited for: connecting and listing.
#include "host/mcp/clean_text.h"
#include "host/mcp/mcp_connections.h"
#include "host/mcp/mcp_server.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxShownInfo = 100;

std::string connected_text(const mcp::ServerInfo& info, std::size_t tools) {
  return "connected (" + one_line(info.name + " " + info.version, kMaxShownInfo) + ", " +
         one_line(info.protocol_version, kMaxShownInfo) + "), " + std::to_string(tools) + " tools";
}

// What the server says of itself is shown, too.
mcp::ServerInfo cleaned(mcp::ServerInfo info) {
  info.name = one_line(info.name, kMaxShownInfo);
  info.version = one_line(info.version, kMaxShownInfo);
  info.instructions = cut_text(clean_text(info.instructions).text, kMaxMcpDescription);
  return info;
}

}  // namespace

void McpServer::run(Work work) {
  const Result<void> done = work == Work::Connecting ? connect() : Result<void>();
  if (work == Work::Listing) list_again();
  const std::lock_guard lock(mutex_);
  work_ = Work::None;
  if (!done.ok()) failed(done.error());
  begin_listing();  // the tools may have changed in the meantime
  changed_.notify_all();
}

mcp::ConnectOptions McpServer::connect_options(Deadline deadline) {
  mcp::ConnectOptions options{
      .deadline = deadline, .stop = stop_.get_token(), .hosts = parts_.start.hosts};
  {
    const std::lock_guard lock(mutex_);
    options.era = era_;
    era_ = mcp::Era::Unknown;  // if it is not that any more, the next attempt finds out
  }
  options.log = [log = parts_.log, server = name()](LogLevel level, std::string_view text) {
    log->write(level, server, text);
  };
  options.on_tools_changed = [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->tools_changed();
  };
  return options;
}

std::shared_ptr<mcp::Client> McpServer::counted(std::unique_ptr<mcp::Client> client) const {
  connections_->begun();
  return {client.release(), [connections = connections_](mcp::Client* last) {
            delete last;
            connections->ended();
          }};
}

Result<void> McpServer::connect() {
  const Deadline deadline = Clock::now() + start_timeout();
  auto made = parts_.connect(parts_.start.server, connect_options(deadline));
  if (!made.ok()) return std::move(made).error();
  std::shared_ptr<mcp::Client> client = counted(*std::move(made));
  std::shared_ptr<const McpListing> listing = GDN_TRY(list(*client, deadline));
  const std::lock_guard lock(mutex_);
  if (stop_.stop_requested()) {
    return Error{.code = ErrorCode::McpServer, .message = "it was shut down"};
  }
  client_ = std::move(client);
  view_.status = View::Status::Connected;
  view_.problem.clear();
  reported_.clear();
  view_.info = cleaned(client_->info());
  era_ = view_.info.era;
  parts_.log->write(LogLevel::Info, name(), connected_text(view_.info, listing->tools.size()));
  publish(std::move(listing));
  return {};
}

Result<std::shared_ptr<const McpListing>> McpServer::list(mcp::Client& client, Deadline deadline) {
  auto tools = client.list_tools({.deadline = deadline, .stop = stop_.get_token()});
  if (!tools.ok()) {
    const bool has_none =
        tools.error().code == ErrorCode::Mcp && !client.info().capabilities.contains("tools");
    if (!has_none) return std::move(tools).error();
    tools = mcp::ToolList{};
  }
  return make_mcp_listing(*std::move(tools), parts_.rules, *parts_.log);
}

// On a thread of the client's.
void McpServer::tools_changed() {
  const std::lock_guard lock(mutex_);
  tools_ = Tools::Changed;
  begin_listing();
}

void McpServer::list_again() {
  std::shared_ptr<mcp::Client> client;
  {
    const std::lock_guard lock(mutex_);
    client = client_;
    tools_ = Tools::Known;  // what is said from now on is news
  }
  if (client == nullptr) return;
  auto listing = list(*client, Clock::now() + start_timeout());
  const std::lock_guard lock(mutex_);
  if (client_ != client) return;
  if (!listing.ok()) {
    const std::string why = one_line(listing.error().message, kMaxMcpDescription);
    parts_.log->write(LogLevel::Warn, name(), "its tools cannot be listed: " + why);
    if (!client->alive()) return failed(listing.error());
    tools_ = Tools::Changed;
    lists_ = kMaxListsPerStep;  // before the next step, not at once
    return;
  }
  publish(*std::move(listing));
}

}  // namespace goondan
