// One MCP server of an extension: connected to, listened to, started again.
//
// Work that waits for the server (connecting, listing) runs on threads of its own, one at a time;
// whoever needs the outcome waits for it here, never past a deadline or a stop. A server that ended
// is found out when it is next needed and started again then, with growing pauses: one that nobody
// needs is left alone.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include <goondan/resources.h>

#include "host/mcp/mcp_listing.h"
#include "host/mcp/mcp_log.h"
#include "host/mcp/restart_pauses.h"
#include "host/mcp/server_start.h"
#include "mcp/client.h"

namespace goondan {

inline constexpr std::chrono::milliseconds kMcpStartTimeout{10'000};
// How long a step waits for a server that has changed its tools or is being started again.
inline constexpr std::chrono::milliseconds kMcpCatchUpTime{2'000};
// A step that waits for a start longer than that says so in the log.
inline constexpr std::chrono::milliseconds kMcpQuietTime{2'000};
// How often the tools are listed between two steps, however often they change.
inline constexpr int kMaxListsPerStep = 3;
// How long the end of a server is waited for when all is over.
inline constexpr std::chrono::milliseconds kMcpEndTime{2'000};

using McpConnect =
    std::function<Result<std::unique_ptr<mcp::Client>>(const mcp::Server&, mcp::ConnectOptions)>;

struct McpServerParts {
  McpServerResource resource = {};
  McpServerStart start = {};
  McpListingRules rules = {};
  std::string workdir = {};
  std::shared_ptr<McpLog> log = {};
  McpConnect connect = {};
};

// Thread-safe. Held by its handlers too, which may be left behind: after `shut_down` it does
// nothing any more.
class McpServer : public std::enable_shared_from_this<McpServer> {
 public:
  // What is known of it.
  struct View {
    enum class Status { Connecting, Connected, Failed } status = Status::Connecting;
    std::string problem = {};
    mcp::ServerInfo info = {};
    std::shared_ptr<const McpListing> listing = {};  // null: never connected
    std::uint64_t generation = 0;                    // of the listing
  };

  explicit McpServer(McpServerParts parts);
  McpServer(const McpServer&) = delete;
  McpServer& operator=(const McpServer&) = delete;

  [[nodiscard]] const McpServerParts& parts() const { return parts_; }
  [[nodiscard]] const std::string& name() const { return parts_.resource.name; }
  [[nodiscard]] View view();

  // Before a step: begins what there is to do (connect, connect again, list again); then waits for
  // as much of it as the step should wait for.
  void begin_catching_up();
  void catch_up(Deadline deadline, const std::stop_token& stop);

  // A connection for a call; tries to make one if there is none and the pause is over. Fails with
  // `E_MCP_SERVER` and why, `E_TOOL_TIMEOUT`, `E_TOOL_CANCELLED`.
  Result<std::shared_ptr<mcp::Client>> connection(Deadline deadline, const std::stop_token& stop);

  // A call on `client` has failed: perhaps because the server ended, and this is why.
  void lost(const std::shared_ptr<mcp::Client>& client, const Error& error);

  // Whether the tool may be called, whatever the registry says; else `E_MCP_TOOL_CHANGED`. Waits
  // for a moment if the tools are being listed again.
  Result<void> may_call(const std::string& tool, Deadline deadline, const std::stop_token& stop);

  // Stops with the server.
  [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }

  // Begins the end: calls are told to stop, the process goes. Waits for it in `wait_for_end`, then
  // leaves behind what has not ended.
  void shut_down();
  void wait_for_end(Deadline deadline);

 private:
  enum class Work { None, Connecting, Listing };
  struct Connections;  // those that still exist; calls may hold one for a while

  // With `mutex_` held, up to `down_error`.
  void begin(Work work);
  void begin_connecting();
  void begin_listing();
  void notice_end();
  void failed(const Error& error);
  void drop_connection();
  void publish(std::shared_ptr<const McpListing> listing);
  [[nodiscard]] bool may_connect() const;
  [[nodiscard]] bool step_should_wait() const;
  [[nodiscard]] Error down_error() const;

  // On threads of their own.
  void run(Work work);
  Result<void> connect();
  void list_again();
  Result<std::shared_ptr<const McpListing>> list(mcp::Client& client, Deadline deadline);

  void tools_changed();
  [[nodiscard]] mcp::ConnectOptions connect_options(Deadline deadline);
  [[nodiscard]] std::shared_ptr<mcp::Client> counted(std::unique_ptr<mcp::Client> client) const;
  [[nodiscard]] bool needed() const {
    return parts_.resource.need == McpServerResource::Need::Required;
  }
  [[nodiscard]] std::chrono::milliseconds start_timeout() const {
    return parts_.resource.start_timeout.value_or(kMcpStartTimeout);
  }

  const McpServerParts parts_;
  const std::shared_ptr<Connections> connections_;
  std::stop_source stop_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  Work work_ = Work::None;
  View view_;
  std::string reported_ = {};  // the problem that the log has; empty since it was connected
  std::shared_ptr<mcp::Client> client_;
  mcp::Era era_ = mcp::Era::Unknown;
  RestartPauses pauses_;
  enum class Tools { Known, Changed } tools_ = Tools::Known;
  Deadline behind_since_ = {};  // when listing again began
  int lists_ = 0;               // since the last step
};

}  // namespace goondan
