#include "host/mcp/mcp_server.h"

#include "host/mcp/clean_text.h"
#include "host/mcp/mcp_connections.h"
#include "tool/worker_threads.h"

namespace goondan {
namespace {

// A thread for one piece of work, gone with it.
Result<void> on_own_thread(WorkerThreads::Job job) {
  return WorkerThreads(0).start(std::move(job));
}

// Clients begin with whose failure it is; so does everyone who shows it here.
std::string without_name(std::string_view text, const std::string& server) {
  const std::string whole = "MCP server '" + server + "': ";
  if (text.starts_with(whole)) return std::string(text.substr(whole.size()));
  for (const std::string& subject : {"the server '" + server + "' ", "'" + server + "' "}) {
    if (text.starts_with(subject)) return "it " + std::string(text.substr(subject.size()));
  }
  return std::string(text);
}

}  // namespace

McpServer::McpServer(McpServerParts parts)
    : parts_(std::move(parts)), connections_(std::make_shared<Connections>()) {}

McpServer::View McpServer::view() {
  const std::lock_guard lock(mutex_);
  notice_end();
  return view_;
}

bool McpServer::may_connect() const {
  return client_ == nullptr && work_ == Work::None && !stop_.stop_requested() &&
         Clock::now() >= pauses_.next();
}

void McpServer::begin(Work work) {
  work_ = work;
  const Result<void> started =
      on_own_thread([self = shared_from_this(), work] { self->run(work); });
  if (started.ok()) return;
  work_ = Work::None;
  failed(started.error());
}

void McpServer::begin_connecting() {
  if (!may_connect()) return;
  pauses_.starting(Clock::now());
  view_.status = View::Status::Connecting;
  begin(Work::Connecting);
}

void McpServer::begin_listing() {
  const bool possible = client_ != nullptr && work_ == Work::None && !stop_.stop_requested();
  if (!possible || tools_ == Tools::Known || lists_ >= kMaxListsPerStep) return;
  ++lists_;
  behind_since_ = Clock::now();
  begin(Work::Listing);
}

// The connection may have ended at any time; nobody tells. A request that has no time shows why.
void McpServer::notice_end() {
  if (client_ == nullptr || client_->alive()) return;
  const Result<Json> refused = client_->request("ping", {}, {.deadline = Clock::now()});
  const bool known = !refused.ok() && refused.error().code == ErrorCode::McpServer;
  failed(known ? refused.error() : Error{.code = ErrorCode::McpServer, .message = "it has ended"});
}

void McpServer::lost(const std::shared_ptr<mcp::Client>& client, const Error& error) {
  const std::lock_guard lock(mutex_);
  if (client_ == client && !client->alive()) failed(error);
}

void McpServer::failed(const Error& error) {
  drop_connection();
  pauses_.ended(Clock::now());
  tools_ = Tools::Known;
  view_.status = View::Status::Failed;
  view_.problem = without_name(one_line(error.message, kMaxMcpDescription), name());
  // Said once, not at every attempt; and that it was stopped is no news to who stopped it.
  if (reported_ != view_.problem && !stop_.stop_requested())
    parts_.log->write(LogLevel::Warn, name(), view_.problem);
  reported_ = view_.problem;
  changed_.notify_all();
}

// Ending it may take a moment, and we hold a lock.
void McpServer::drop_connection() {
  if (client_ == nullptr) return;
  auto last = std::make_shared<std::shared_ptr<mcp::Client>>(std::move(client_));
  client_ = nullptr;
  (void)on_own_thread([last] { last->reset(); });  // without a thread it goes here and now
}

void McpServer::begin_catching_up() {
  const std::lock_guard lock(mutex_);
  notice_end();
  begin_connecting();
  lists_ = 0;
  const McpListing* listing = view_.listing.get();
  const bool waits = listing != nullptr && listing->waiting == McpListing::Waiting::ForApproval;
  if (waits && McpPinsStamp::of(parts_.rules.pins) != listing->stamp) {
    tools_ = Tools::Changed;  // somebody may have approved
  }
  begin_listing();
}

// The first connection is worth waiting for, and so is one that the agent cannot do without; one
// that had been there and will come back, or changed tools, for a moment.
bool McpServer::step_should_wait() const {
  if (work_ == Work::None) return false;
  return work_ == Work::Listing || view_.listing != nullptr || needed() || view_.problem.empty();
}

void McpServer::catch_up(Deadline deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (work_ == Work::Listing) {
    deadline = std::min(deadline, behind_since_ + kMcpCatchUpTime);
  } else if (needed()) {
    deadline = std::max(deadline, Clock::now() + start_timeout());
  } else if (view_.listing != nullptr) {
    deadline = std::min(deadline, Clock::now() + kMcpCatchUpTime);
  }
  const auto done = [this] { return !step_should_wait(); };
  const Deadline patience = Clock::now() + kMcpQuietTime;
  if (changed_.wait_until(lock, stop, std::min(deadline, patience), done)) return;
  if (deadline <= patience || stop.stop_requested()) return;
  parts_.log->write(LogLevel::Warn, name(), "still starting; the agent waits for it");
  changed_.wait_until(lock, stop, deadline, done);
}

Error McpServer::down_error() const {
  const auto left = std::chrono::ceil<std::chrono::seconds>(pauses_.next() - Clock::now()).count();
  return {.code = ErrorCode::McpServer,
          .message = "MCP server '" + name() + "' is not connected: " + view_.problem,
          .suggestion = left > 0 ? "The next attempt to start it is in " + std::to_string(left) +
                                       " s; do without its tools until then."
                                 : "Try again; look at it with `gdn mcp tools " + name() + "`."};
}

Result<std::shared_ptr<mcp::Client>> McpServer::connection(Deadline deadline,
                                                           const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  notice_end();
  if (client_ != nullptr) return client_;
  begin_connecting();
  changed_.wait_until(lock, stop, deadline,
                      [this] { return client_ != nullptr || work_ == Work::None; });
  if (client_ != nullptr) return client_;
  if (stop.stop_requested() && !stop_.stop_requested()) {
    return Error{.code = ErrorCode::ToolCancelled, .message = "the call was cancelled"};
  }
  if (work_ != Work::None && !stop_.stop_requested()) {
    return Error{.code = ErrorCode::ToolTimeout,
                 .message = "MCP server '" + name() + "' was not connected in time"};
  }
  return down_error();
}

Result<void> McpServer::may_call(const std::string& tool, Deadline deadline,
                                 const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (work_ == Work::Listing) {  // the server has just said that something changed
    changed_.wait_until(lock, stop, std::min(deadline, behind_since_ + kMcpCatchUpTime),
                        [this] { return work_ != Work::Listing; });
  }
  const McpOfferedTool* offered = view_.listing == nullptr ? nullptr : view_.listing->find(tool);
  if (offered == nullptr || offered->disabled.empty()) return {};
  return Error{.code = ErrorCode::McpToolChanged,
               .message = "tool '" + offered->visible + "' is disabled: " + offered->disabled,
               .suggestion = "Do without it; a person has to approve its new definition."};
}

void McpServer::publish(std::shared_ptr<const McpListing> listing) {
  view_.listing = std::move(listing);
  ++view_.generation;
}

void McpServer::shut_down() {
  stop_.request_stop();
  const std::lock_guard lock(mutex_);
  view_.status = View::Status::Failed;
  view_.problem = "it was shut down";
  drop_connection();
  changed_.notify_all();
}

void McpServer::wait_for_end(Deadline deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline, [this] { return work_ == Work::None; });
  lock.unlock();
  connections_->wait_until_none(deadline);
}

}  // namespace goondan
