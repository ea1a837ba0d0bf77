#include "agent/process_fixture.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/json_fields.h"
#include "ipc/frame_io.h"
#include "os/own_program.h"
#include "os/pidfd.h"

namespace goondan::agent::test {
namespace {

std::string exit_text(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

TestAgent::~TestAgent() {
  close();
  if (reaped_) return;
  kill();
  end();
}

void TestAgent::kill() {
  ::kill(pid_, SIGKILL);
}

std::string TestAgent::end() {
  const os::UniqueFd pidfd = os::open_pidfd(pid_);
  if (os::wait_readable(pidfd.get(), soon()) != os::Wake::Ready) return "still runs";
  int status = 0;
  reaped_ = ::waitpid(pid_, &status, 0) == pid_;
  return reaped_ ? exit_text(status) : "not a child";
}

void TestAgent::send(ipc::MessageType type, JsonObject payload, std::string correlation_id) {
  const Result<void> sent = channel_->send({.type = type,
                                            .from = "orchestrator",
                                            .to = "agent",
                                            .payload = std::move(payload),
                                            .correlation_id = std::move(correlation_id)},
                                           soon());
  EXPECT_TRUE(sent.ok()) << sent.error().message;
}

void TestAgent::send_event(std::string_view kind, JsonObject payload) {
  payload["kind"] = kind;
  send(ipc::MessageType::Event, std::move(payload));
}

void TestAgent::send_turn(std::string_view id, std::string_view input) {
  send_event("turn", {{"id", id},
                      {"input", input},
                      {"eventType", "user.message"},
                      {"source", JsonObject{{"kind", "user"}, {"name", "cli"}}},
                      {"metadata", JsonObject{}},
                      {"traceId", std::string(32, 'a')},
                      {"callStack", JsonArray{}},
                      {"attempt", 1},
                      {"createdAt", "2026-01-15T10:00:00.000Z"}});
}

// Takes observations apart on the way.
std::optional<ipc::Message> TestAgent::receive() {
  Result<ipc::Message> message = channel_->receive(soon(), os::StopWaker());
  if (!message.ok()) return std::nullopt;
  const JsonObject& payload = object_or_empty(message->payload);
  if (text_field(payload, "kind") == "observe") {
    for (const Json& event : payload.at("events").as_array())
      observations_.push_back(event.as_object());
  } else {
    messages_.push_back(*message);
  }
  return *std::move(message);
}

ipc::Message TestAgent::next() {
  while (messages_.empty()) {
    if (!receive()) return {};
  }
  ipc::Message message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

JsonObject TestAgent::next_event(std::string_view kind) {
  const ipc::Message message = next();
  JsonObject payload = object_or_empty(message.payload);
  EXPECT_EQ(text_field(payload, "kind"), kind) << to_text(payload);
  return payload;
}

JsonObject TestAgent::observed(std::string_view type) {
  while (true) {
    while (!observations_.empty()) {
      JsonObject event = std::move(observations_.front());
      observations_.pop_front();
      if (text_field(event, "type") == type) return event;
    }
    if (!receive()) return {};
  }
}

std::string calling(const std::string& tool, const std::string& args) {
  return "  - when: { role: user }\n    calls: [{ tool: " + tool + ", args: " + args +
         " }]\n  - when: { tool: " + tool +
         ", status: ok }\n    text: \"ok {{output}}\"\n  - when: { tool: " + tool +
         ", status: error }\n    text: \"{{error.code}} {{error.message}}\"\n";
}

TestSwarm::TestSwarm() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

TestSwarm::~TestSwarm() = default;

void TestSwarm::write_bundle(const std::vector<Agent>& agents, std::string_view script,
                             std::string_view policy) const {
  std::string yaml =
      "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: { name: demo }\n"
      "spec: { provider: scripted, model: ./script.yaml }\n";
  std::string refs;
  for (const Agent& agent : agents) {
    std::string tools;
    for (std::size_t at = 0; at < agent.tools.size();) {
      const std::size_t end = std::min(agent.tools.find(' ', at), agent.tools.size());
      tools += "{ ref: Tool/" + agent.tools.substr(at, end - at) + " }, ";
      at = end + 1;
    }
    yaml += "---\napiVersion: goondan.ai/v1\nkind: Agent\nmetadata: { name: " + agent.name +
            " }\nspec:\n  modelConfig: { modelRef: Model/demo }\n  prompt: { system: I am " +
            agent.name + " }\n  tools: [" + tools + "]\n  policy: " + agent.policy + "\n";
    refs += "{ ref: Agent/" + agent.name + " }, ";
  }
  yaml +=
      "---\napiVersion: goondan.ai/v1\nkind: Swarm\nmetadata: { name: default }\nspec:\n"
      "  entryAgent: Agent/" +
      agents.front().name + "\n  agents: [" + refs + "]\n  policy: " + std::string(policy) + "\n";
  bundle_.write("goondan.yaml", yaml);
  bundle_.write("script.yaml", "replies:\n" + std::string(script));
}

JsonObject TestSwarm::start(const std::string& swarm) {
  auto sockets = ipc::make_note_pair();
  const auto program = os::own_program();
  if (!sockets.ok() || !program.ok()) return {};
  std::vector<std::string> argv{program->string(),       "zygote",       "--bundle",
                                bundle_.path().string(), "--state-root", state_.path().string()};
  if (!swarm.empty()) argv.insert(argv.end(), {"--swarm", swarm});
  Result<os::Child> child = os::Child::spawn(
      {.argv = std::move(argv), .fds = {{.source = sockets->second.get(), .target = 3}}});
  EXPECT_TRUE(child.ok());
  if (!child.ok()) return {};
  zygote_.emplace(*std::move(child));
  socket_ = std::move(sockets->first);
  sockets->second.reset();
  return receive();
}

JsonObject TestSwarm::receive() {
  if (os::wait_readable(socket_.get(), soon()) != os::Wake::Ready) return {};
  const auto note = ipc::receive_note(socket_.get());
  if (!note.ok() || !*note) return {};
  const Result<Json> json = parse_json((*note)->text);
  return json.ok() ? object_or_empty(*json) : JsonObject{};
}

JsonObject TestSwarm::ask(const JsonObject& note, int fd) {
  EXPECT_TRUE(ipc::send_note(socket_.get(), to_text(note), fd).ok());
  return receive();
}

std::filesystem::path TestSwarm::folder(const std::string& agent, const std::string& key) const {
  return state_.path() / "workspaces" / "test" / "instances" / agent / key;
}

std::unique_ptr<TestAgent> TestSwarm::spawn(const std::string& agent, const std::string& key,
                                            const std::string& cwd) {
  auto sockets = ipc::make_socket_pair();
  EXPECT_TRUE(sockets.ok());
  JsonObject note{{"kind", "spawn"},
                  {"id", ++spawns_},
                  {"agent", agent},
                  {"instanceKey", key},
                  {"folder", folder(agent, key).string()}};
  if (!cwd.empty()) note["cwd"] = cwd;
  const JsonObject answer = ask(note, sockets->second.get());
  EXPECT_EQ(text_field(answer, "kind"), "spawned") << to_text(answer);
  EXPECT_EQ(integer_field(answer, "id"), spawns_);
  const auto pid = static_cast<pid_t>(integer_field(answer, "pid").value_or(0));
  return std::make_unique<TestAgent>(std::move(sockets->first), pid);
}

std::unique_ptr<TestAgent> TestSwarm::spawn_ready(const std::string& agent,
                                                  const std::string& key) {
  std::unique_ptr<TestAgent> made = spawn(agent, key);
  EXPECT_EQ(integer_field(made->next_event("ready"), "pid"), made->pid());
  return made;
}

std::string TestSwarm::end() {
  const std::optional<os::ExitStatus> status = zygote_->wait(soon());
  return status ? status->text() : "still runs";
}

}  // namespace goondan::agent::test
