// What tests of the client share: fake servers (`tests/data/mcp`), and a log to look into.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "mcp/client.h"

namespace goondan::mcp {

inline Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

// Things that happen on other threads, and waiting for them. Thread-safe.
class Happenings {
 public:
  void add(std::string what) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(what));
    changed_.notify_all();
  }

  // Whether one that contains `text` has happened, or does soon.
  bool wait_for(std::string_view text) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, soon(), [&] {
      return std::ranges::any_of(
          all_, [text](const std::string& one) { return one.find(text) != std::string::npos; });
    });
  }

  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> all_;
};

inline Server fake_server(std::vector<std::string> mode) {
  Server server{.name = "fake",
                .command = {"python3", GDN_TEST_DATA "/mcp/fake_server.py"},
                .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"}};
  server.command.insert(server.command.end(), mode.begin(), mode.end());
  return server;
}

class ClientTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Client>> try_connect(std::vector<std::string> mode) {
    ConnectOptions options = options_;
    options.deadline = soon();
    options.log = [this](LogLevel, std::string_view text) { log_.add(std::string(text)); };
    options.on_tools_changed = [this] { log_.add("<changed>"); };
    return Client::connect(fake_server(std::move(mode)), std::move(options));
  }

  // Connects, and knows the tools.
  void connect(std::vector<std::string> mode) {
    Result<std::unique_ptr<Client>> connected = try_connect(std::move(mode));
    ASSERT_TRUE(connected.ok()) << connected.error().message;
    client_ = *std::move(connected);
    Result<ToolList> list = client_->list_tools({.deadline = soon()});
    ASSERT_TRUE(list.ok()) << list.error().message;
    tools_ = list->tools;
  }

  Result<Json> call(std::string_view name, const JsonObject& arguments = {},
                    RequestOptions options = {}) {
    if (options.deadline == Deadline::max()) options.deadline = soon();
    const auto found = std::ranges::find(tools_, name, &ToolInfo::name);
    const ToolInfo unknown{.name = std::string(name), .input_schema = JsonObject{}};
    return client_->call_tool(found == tools_.end() ? unknown : *found, arguments, options);
  }

  // The first text in the result of a call.
  std::string text(const Result<Json>& result) {
    if (!result.ok()) return "failed: " + result.error().message;
    return text_field(result->at("content").as_array().at(0).as_object(), "text");
  }

  ConnectOptions options_;
  Happenings log_;
  std::vector<ToolInfo> tools_;
  std::unique_ptr<Client> client_;
};

}  // namespace goondan::mcp
