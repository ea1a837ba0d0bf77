// For tests: a real orchestrator in a process of its own, with a fake zygote (`fake_zygote.h`).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ipc/channel.h"
#include "os/child.h"
#include "resource/test_folder.h"

namespace goondan::orchestrator::test {

// Long enough for anything that works, also on a busy machine.
inline Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

// One connection of a command line.
class TestClient {
 public:
  explicit TestClient(os::UniqueFd socket)
      : channel_(std::make_unique<ipc::Channel>(std::move(socket))) {}

  // Sends without waiting; returns the number of the request.
  std::string post(std::string_view kind, JsonObject params);
  Result<Json> reply(const std::string& request_id);
  Result<Json> ask(std::string_view kind, JsonObject params = {});
  // The next event of this kind that is no reply; empty at the end of the stream.
  JsonObject event(std::string_view kind);
  // The next observation of this type; those before it are forgotten. Empty at the end.
  JsonObject observed(std::string_view type);
  // Submits to the agent and waits for the end of its turn: the response, or the error's code.
  std::string turn(std::string_view agent, std::string_view input, std::string_view key = "k");
  void submit(std::string_view id, std::string_view agent, std::string_view input,
              std::string_view key = "k");
  // How the message with this id ended.
  std::string ended(std::string_view id);

  [[nodiscard]] bool at_end();
  void send_bytes(std::string_view bytes);
  void close() { channel_.reset(); }

 private:
  bool receive();

  std::unique_ptr<ipc::Channel> channel_;
  std::deque<JsonObject> received_;  // payloads
  int last_request_ = 0;
  int last_message_ = 0;
};

class TestSwarm {
 public:
  // Agents as `bundle.json` has them.
  explicit TestSwarm(JsonObject agents);
  ~TestSwarm();

  void write_bundle(JsonObject agents, int grace_ms = 30'000, std::string_view workspace = "w");
  void write(const std::filesystem::path& name, std::string_view text) {
    folder_.write(name, text);
  }
  [[nodiscard]] std::filesystem::path path(std::string_view name) const {
    return folder_.path() / name;
  }
  [[nodiscard]] std::filesystem::path workspace() const { return path("state/workspaces/w"); }

  // Starts the orchestrator with these further words; its first event is left to read.
  void start(const std::vector<std::string>& words = {});
  // The same, and waits for `started`, and watches.
  void run(const std::vector<std::string>& words = {});

  TestClient& owner() { return *owner_; }
  os::Child& process() { return *process_; }
  std::unique_ptr<TestClient> connect();
  // Of the instance, as `status` tells it.
  JsonObject status_of(std::string_view agent, std::string_view key = "k");
  pid_t pid_of(std::string_view agent, std::string_view key = "k");
  // "exit code 0"
  std::string end();
  // Waits until the process is gone, for those that are not children of the test.
  static bool gone(pid_t pid);

 private:
  goondan::test::TestFolder folder_;
  std::unique_ptr<TestClient> owner_;
  std::optional<os::Child> process_;
};

}  // namespace goondan::orchestrator::test
