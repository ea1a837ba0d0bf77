#include "orchestrator/fake_zygote.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/json_fields.h"
#include "ipc/channel.h"
#include "ipc/fd_passing.h"

namespace goondan::orchestrator::test {
namespace {

constexpr int kSocket = 3;
constexpr std::chrono::seconds kPatience{60};

Deadline soon() {
  return Clock::now() + kPatience;
}

class FakeAgent {
 public:
  FakeAgent(os::UniqueFd socket, std::string name)
      : channel_(std::move(socket)), name_(std::move(name)) {}

  int run() {
    if (name_.starts_with("dies")) return 3;
    if (name_.starts_with("bad")) {
      const Error error{.code = ErrorCode::ModelConfig, .message = "there is no such model"};
      send_event("start_failed", {{"error", error_json(error)}});
      return 1;
    }
    send_event("ready", {{"pid", ::getpid()}});
    while (true) {
      const Result<ipc::Message> message = channel_.receive(Deadline::max(), os::StopWaker());
      if (!message.ok()) return 1;
      if (message->type == ipc::MessageType::Shutdown) {
        send({.type = ipc::MessageType::ShutdownAck});
        return 0;
      }
      take(*message);
    }
  }

 private:
  void send(ipc::Message message) {
    message.from = "somebody else";
    message.to = "orchestrator";
    static_cast<void>(channel_.send(message, soon()).ok());
  }

  void send_event(std::string_view kind, JsonObject payload) {
    payload["kind"] = kind;
    send({.payload = std::move(payload)});
  }

  void take(const ipc::Message& message) {
    const JsonObject& payload = object_or_empty(message.payload);
    const bool request = message.type == ipc::MessageType::Delegate;
    if (!request && text_field(payload, "kind") != "turn") return;
    JsonObject done{{"kind", "turn_done"},
                    {"id", text_field(payload, "id")},
                    {"status", "ok"},
                    {"response", answer(text_field(payload, "input"))},
                    {"finishReason", "text_response"}};
    send({.type = request ? ipc::MessageType::DelegateResult : ipc::MessageType::Event,
          .payload = std::move(done),
          .correlation_id = message.correlation_id});
  }

  std::string answer(const std::string& input) {
    const std::size_t space = input.find(' ');
    const std::string word = input.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : input.substr(space + 1);
    if (word == "crash") ::raise(SIGKILL);
    if (word == "hang") std::this_thread::sleep_for(kPatience);
    if (word == "wait") return wait_for_file(rest);
    if (word == "garbage") return write_garbage();
    if (word == "close") return close_socket();
    if (word == "orphan") return std::to_string(leave_orphan());
    if (word == "observe") send_observations();
    if (word == "restart") {
      send_event("request", {{"requestId", "1"},
                             {"method", "runtime.restart"},
                             {"params", JsonObject{{"reason", "an agent wants it"}}}});
    }
    if (word != "env") return rest;
    const char* const value = std::getenv(rest.c_str());
    return value == nullptr ? "unset" : value;
  }

  static std::string wait_for_file(const std::string& file) {
    for (const Deadline end = soon(); !std::filesystem::exists(file) && Clock::now() < end;)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return "waited";
  }

  std::string write_garbage() {
    const std::string bytes(64, '\xFF');
    ::send(channel_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    std::this_thread::sleep_for(kPatience);
    return {};
  }

  std::string close_socket() {
    ::shutdown(channel_.fd(), SHUT_RDWR);
    std::this_thread::sleep_for(kPatience);
    return {};
  }

  static pid_t leave_orphan() {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::setsid();
    std::this_thread::sleep_for(kPatience);
    ::_exit(0);
  }

  void send_observations() {
    send_event("observe",
               {{"events", JsonArray{JsonObject{{"type", "tool.log"}, {"agentName", "other"}},
                                     JsonObject{{"type", "runtime.stopped"}}, Json(7)}}});
  }

  ipc::Channel channel_;
  std::string name_;
};

// As the real one: the process in between is gone when the number is told.
pid_t fork_agent(os::UniqueFd socket, const std::string& name) {
  int ends[2];
  if (::pipe(ends) != 0) return -1;
  const pid_t between = ::fork();
  if (between == 0) {
    const pid_t agent = ::fork();
    if (agent == 0) {
      ::close(kSocket);
      ::prctl(PR_SET_CHILD_SUBREAPER, 1);
      ::_exit(FakeAgent(std::move(socket), name).run());
    }
    ::_exit(::write(ends[1], &agent, sizeof agent) == sizeof agent ? 0 : 1);
  }
  ::waitpid(between, nullptr, 0);
  pid_t agent = -1;
  if (::read(ends[0], &agent, sizeof agent) != sizeof agent) agent = -1;
  ::close(ends[0]);
  ::close(ends[1]);
  return agent;
}

Json first_note(const std::filesystem::path& bundle) {
  std::ifstream in(bundle / "bundle.json");
  const Result<Json> read = parse_json(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!read.ok()) return JsonObject{{"kind", "failed"}, {"error", error_json(read.error())}};
  const JsonObject& fields = object_or_empty(*read);
  JsonArray agents;
  for (const auto& [name, print] : *object_field(fields, "agents"))
    agents.push_back(JsonObject{{"name", name}, {"fingerprint", print}});
  const Json entry = agents.empty() ? Json("") : agents.front().at("name");
  return JsonObject{{"kind", "loaded"},
                    {"swarm", "default"},
                    {"workspace", text_field(fields, "workspace")},
                    {"entryAgent", entry},
                    {"agents", std::move(agents)},
                    {"shutdownGraceMs", any_field(fields, "graceMs")},
                    {"warnings", JsonArray{}}};
}

}  // namespace

int run_fake_zygote(int argc, char** argv) {
  std::filesystem::path bundle;
  for (int i = 2; i + 1 < argc; i += 2)
    if (std::string_view(argv[i]) == "--bundle") bundle = argv[i + 1];
  const Json first = first_note(bundle);
  static_cast<void>(ipc::send_note(kSocket, to_text(first)).ok());
  if (first.at("kind") != "loaded") return 1;
  while (os::wait_readable(kSocket, Deadline::max()) == os::Wake::Ready) {
    Result<std::optional<ipc::Note>> note = ipc::receive_note(kSocket);
    if (!note.ok()) return 0;
    if (!*note) continue;
    const Json request = *parse_json((*note)->text);
    const JsonObject& fields = object_or_empty(request);
    const pid_t pid = fork_agent(std::move((*note)->fd), text_field(fields, "agent"));
    const Json answer =
        JsonObject{{"kind", "spawned"}, {"id", any_field(fields, "id")}, {"pid", pid}};
    if (!ipc::send_note(kSocket, to_text(answer)).ok()) return 0;
  }
  return 0;
}

}  // namespace goondan::orchestrator::test
