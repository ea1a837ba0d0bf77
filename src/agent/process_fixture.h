// For tests: a real zygote with real agents, the test in the place of the orchestrator.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "ipc/channel.h"
#include "ipc/fd_passing.h"
#include "os/child.h"
#include "resource/test_folder.h"

namespace goondan::agent::test {

// Long enough for anything that works, also on a busy machine.
inline Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

// One agent process. Killed at the end if it still runs.
class TestAgent {
 public:
  TestAgent(os::UniqueFd socket, pid_t pid)
      : channel_(std::make_unique<ipc::Channel>(std::move(socket))), pid_(pid) {}
  ~TestAgent();
  TestAgent(const TestAgent&) = delete;
  TestAgent& operator=(const TestAgent&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }

  void send(ipc::MessageType type, JsonObject payload, std::string correlation_id = {});
  void send_event(std::string_view kind, JsonObject payload);
  // A message from the user, to be answered by `turn_done`.
  void send_turn(std::string_view id, std::string_view input);

  // The next message that is no observation; those are kept for `observed`. One without a payload
  // at the end of the stream.
  ipc::Message next();
  // The payload of the next such message, which must be an event of this kind.
  JsonObject next_event(std::string_view kind);
  // The next observation of this type; what comes before it is forgotten. Empty at the end of the
  // stream.
  JsonObject observed(std::string_view type);

  // What the orchestrator's end would do.
  void close() { channel_.reset(); }
  void kill();
  // Waits for the end: "exit code 0".
  std::string end();

 private:
  std::optional<ipc::Message> receive();

  std::unique_ptr<ipc::Channel> channel_;
  pid_t pid_;
  bool reaped_ = false;
  std::deque<JsonObject> observations_;
  std::deque<ipc::Message> messages_;
};

// A script whose first answer is this call, and the second what came of it.
std::string calling(const std::string& tool, const std::string& args);

// A bundle in a folder of its own, a state root, and a zygote that has loaded it.
class TestSwarm {
 public:
  TestSwarm();  // adopts orphans, as the orchestrator does
  ~TestSwarm();
  TestSwarm(const TestSwarm&) = delete;
  TestSwarm& operator=(const TestSwarm&) = delete;

  [[nodiscard]] const goondan::test::TestFolder& bundle() const { return bundle_; }
  // `goondan.yaml` with one scripted model (`script`: the items of `replies`) and agents with these
  // tools, e.g. `bash agents`, all in one swarm. Policies are in flow style.
  struct Agent {
    std::string name;
    std::string tools = {};
    std::string policy = "{}";
  };
  void write_bundle(const std::vector<Agent>& agents, std::string_view script,
                    std::string_view policy = "{}") const;

  // Starts the zygote and returns what it says first.
  JsonObject start(const std::string& swarm = {});
  // What it answers to this note.
  JsonObject ask(const JsonObject& note, int fd = -1);
  // A running agent; it has said nothing yet.
  std::unique_ptr<TestAgent> spawn(const std::string& agent, const std::string& key = "k",
                                   const std::string& cwd = {});
  // One that has said `ready`.
  std::unique_ptr<TestAgent> spawn_ready(const std::string& agent, const std::string& key = "k");

  [[nodiscard]] std::filesystem::path folder(const std::string& agent,
                                             const std::string& key = "k") const;
  [[nodiscard]] pid_t zygote_pid() const { return zygote_->pid(); }
  void close() { socket_.reset(); }
  // Waits for the zygote's end.
  std::string end();

 private:
  JsonObject receive();

  goondan::test::TestFolder bundle_;
  goondan::test::TestFolder state_;
  os::UniqueFd socket_;
  std::optional<os::Child> zygote_;
  int spawns_ = 0;
};

}  // namespace goondan::agent::test
