// A folder, a log and a server that does as it is told, for the tests of this part.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <goondan/executor.h>

#include "host/mcp/mcp_tools_impl.h"

namespace goondan::test {

// Removed with its contents.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

mcp::ToolInfo tool_info(std::string name, std::string description = "does something");

// The server's side, shared by all connections to it. Thread-safe.
class FakeServer {
 public:
  using Call = std::function<Result<Json>(const JsonObject&, const mcp::RequestOptions&)>;

  // What `list_tools` answers from now on.
  void set_tools(std::vector<mcp::ToolInfo> tools);
  void set_call(Call call);
  // From now on attempts to connect fail with this; empty: they succeed.
  void refuse(std::string why);
  void die();                // the connection that is there
  void say_tools_changed();  // to the connection that is there
  [[nodiscard]] int connects() const;
  [[nodiscard]] int lists() const;
  [[nodiscard]] int open() const;  // connections that exist

  [[nodiscard]] McpConnect connector();

 private:
  class Connection;
  mutable std::mutex mutex_;
  std::vector<mcp::ToolInfo> tools_;
  Call call_;
  std::string refusal_;
  std::function<void()> on_changed_;
  int connects_ = 0;
  int lists_ = 0;
  int open_ = 0;
  int alive_ = 0;  // the number of the connection that is alive
};

// `McpTools` over a `FakeServer`, or real ones, with a registry and what was logged.
class McpWorld {
 public:
  McpWorld();

  McpServerResource& server(std::string name = "srv");  // adds one
  McpToolsOptions& options() { return options_; }
  void start(const McpConnect& connect);
  void start_real();
  Result<void> step(const std::stop_token& stop = {});
  Result<void> step_until(Deadline deadline);
  void stop() { tools_.reset(); }

  [[nodiscard]] std::vector<std::string> names() const;  // in the registry, sorted
  ToolCallResult call(const std::string& name, JsonObject input = {},
                      const CallOptions& options = {});
  [[nodiscard]] McpServerState state(std::size_t index = 0) const;
  [[nodiscard]] bool logged(std::string_view part) const;
  [[nodiscard]] ToolRegistry& registry() { return registry_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TestFolder folder_;
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
  ToolRegistry registry_;
  McpToolsOptions options_;
  std::unique_ptr<McpTools> tools_;
};

}  // namespace goondan::test
