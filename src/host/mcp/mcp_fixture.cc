#include "host/mcp/mcp_fixture.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

namespace goondan::test {

namespace fs = std::filesystem;

TestFolder::TestFolder() {
  std::string name = (fs::temp_directory_path() / "gdn_mcp_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

mcp::ToolInfo tool_info(std::string name, std::string description) {
  return {.name = std::move(name),
          .description = std::move(description),
          .input_schema = JsonObject{{"type", "object"}}};
}

class FakeServer::Connection final : public mcp::Client {
 public:
  Connection(FakeServer& server, int number) : server_(server), number_(number) {
    info_.era = mcp::Era::Modern;
    info_.protocol_version = mcp::kModernVersion;
    info_.name = "fake";
    info_.capabilities["tools"] = JsonObject{};
  }

  ~Connection() override {
    const std::lock_guard lock(server_.mutex_);
    --server_.open_;
    if (server_.alive_ == number_) server_.on_changed_ = nullptr;
  }

  [[nodiscard]] const mcp::ServerInfo& info() const override { return info_; }

  [[nodiscard]] bool alive() const override {
    const std::lock_guard lock(server_.mutex_);
    return server_.alive_ == number_;
  }

  Result<mcp::ToolList> list_tools(const mcp::RequestOptions&) override {
    const std::lock_guard lock(server_.mutex_);
    ++server_.lists_;
    return mcp::ToolList{.tools = server_.tools_};
  }

  Result<Json> call_tool(const mcp::ToolInfo&, const JsonObject& arguments,
                         const mcp::RequestOptions& options) override {
    if (!alive()) return gone();
    Call call;
    {
      const std::lock_guard lock(server_.mutex_);
      call = server_.call_;
    }
    if (call) return call(arguments, options);
    return JsonObject{{"content", JsonArray{JsonObject{{"type", "text"}, {"text", "done"}}}}};
  }

  Result<Json> request(std::string_view, JsonObject, const mcp::RequestOptions&) override {
    return gone();
  }

 private:
  static Error gone() { return {.code = ErrorCode::McpServer, .message = "the fake has died"}; }

  FakeServer& server_;
  const int number_;
  mcp::ServerInfo info_;
};

void FakeServer::set_tools(std::vector<mcp::ToolInfo> tools) {
  const std::lock_guard lock(mutex_);
  tools_ = std::move(tools);
}

void FakeServer::set_call(Call call) {
  const std::lock_guard lock(mutex_);
  call_ = std::move(call);
}

void FakeServer::refuse(std::string why) {
  const std::lock_guard lock(mutex_);
  refusal_ = std::move(why);
}

void FakeServer::die() {
  const std::lock_guard lock(mutex_);
  alive_ = 0;
}

void FakeServer::say_tools_changed() {
  std::function<void()> say;
  {
    const std::lock_guard lock(mutex_);
    say = on_changed_;
  }
  if (say) say();
}

int FakeServer::connects() const {
  const std::lock_guard lock(mutex_);
  return connects_;
}

int FakeServer::lists() const {
  const std::lock_guard lock(mutex_);
  return lists_;
}

int FakeServer::open() const {
  const std::lock_guard lock(mutex_);
  return open_;
}

McpConnect FakeServer::connector() {
  return [this](const mcp::Server&,
                mcp::ConnectOptions options) -> Result<std::unique_ptr<mcp::Client>> {
    const std::lock_guard lock(mutex_);
    ++connects_;
    if (!refusal_.empty()) return Error{.code = ErrorCode::McpServer, .message = refusal_};
    on_changed_ = options.on_tools_changed;
    alive_ = connects_;
    ++open_;
    return std::unique_ptr<mcp::Client>(std::make_unique<Connection>(*this, alive_));
  };
}

McpWorld::McpWorld() {
  options_ = {.extension = "ext",
              .bundle_root = folder_.path(),
              .pins = folder_.path() / "state/mcp-pins.json",
              .environment = {{"PATH", "/usr/bin:/bin"}},
              .workdir = folder_.path().string(),
              .log = [this](LogLevel, std::string_view text) {
                const std::lock_guard lock(mutex_);
                log_.emplace_back(text);
              }};
}

McpServerResource& McpWorld::server(std::string name) {
  options_.servers.push_back({.name = std::move(name), .command = "fake"});
  return options_.servers.back();
}

void McpWorld::start(const McpConnect& connect) {
  auto tools = start_mcp_tools(options_, registry_, connect);
  ASSERT_TRUE(tools.ok()) << tools.error().message;
  tools_ = *std::move(tools);
}

void McpWorld::start_real() {
  start(&mcp::Client::connect);
}

Result<void> McpWorld::step(const std::stop_token& stop) {
  return tools_->before_step(Clock::now() + std::chrono::seconds(60), stop);
}

Result<void> McpWorld::step_until(Deadline deadline) {
  return tools_->before_step(deadline, {});
}

std::vector<std::string> McpWorld::names() const {
  std::vector<std::string> names;
  for (const auto& entry : ToolCatalog(registry_).entries())
    names.push_back(entry->name());
  std::sort(names.begin(), names.end());
  return names;
}

ToolCallResult McpWorld::call(const std::string& name, JsonObject input,
                              const CallOptions& options) {
  const ToolExecutor executor(registry_);
  return executor.run(ToolCatalog(registry_), {.id = "c1", .name = name, .input = std::move(input)},
                      options);
}

McpServerState McpWorld::state(std::size_t index) const {
  return tools_->state().at(index);
}

bool McpWorld::logged(std::string_view part) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(log_.begin(), log_.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace goondan::test
