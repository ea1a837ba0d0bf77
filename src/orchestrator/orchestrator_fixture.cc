#include "orchestrator/orchestrator_fixture.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "base/json_fields.h"
#include "ipc/frame_io.h"
#include "os/pidfd.h"

namespace goondan::orchestrator::test {

namespace fs = std::filesystem;

bool TestClient::receive() {
  Result<ipc::Message> message = channel_->receive(soon(), os::StopWaker());
  if (!message.ok()) return false;
  received_.push_back(object_or_empty(message->payload));
  return true;
}

std::string TestClient::post(std::string_view kind, JsonObject params) {
  const std::string id = "r" + std::to_string(++last_request_);
  params["kind"] = kind;
  params["requestId"] = id;
  const ipc::Message message{.from = "cli", .to = "orchestrator", .payload = std::move(params)};
  EXPECT_TRUE(channel_->send(message, soon()).ok());
  return id;
}

Result<Json> TestClient::reply(const std::string& request_id) {
  for (std::size_t i = 0;; ++i) {
    if (i >= received_.size() && !receive()) {
      return Error{.code = ErrorCode::Io, .message = "the orchestrator is gone"};
    }
    const JsonObject payload = received_[i];
    if (text_field(payload, "requestId") != request_id) continue;
    received_.erase(received_.begin() + static_cast<long>(i));
    if (payload.contains("error")) return error_from(payload.at("error"));
    return any_field(payload, "result");
  }
}

Result<Json> TestClient::ask(std::string_view kind, JsonObject params) {
  return reply(post(kind, std::move(params)));
}

JsonObject TestClient::event(std::string_view kind) {
  for (std::size_t i = 0;; ++i) {
    if (i >= received_.size() && !receive()) return {};
    JsonObject payload = received_[i];
    if (text_field(payload, "kind") != kind) continue;
    received_.erase(received_.begin() + static_cast<long>(i));
    return payload;
  }
}

JsonObject TestClient::observed(std::string_view type) {
  for (std::size_t i = 0;;) {
    if (i >= received_.size() && !receive()) return {};
    JsonArray* const events = text_field(received_[i], "kind") == "observe"
                                  ? received_[i].at("events").if_array()
                                  : nullptr;
    if (events == nullptr || events->empty()) {
      ++i;
      continue;
    }
    JsonObject first = events->front().get_object();
    events->erase(events->begin());
    if (text_field(first, "type") == type) return first;
  }
}

void TestClient::submit(std::string_view id, std::string_view agent, std::string_view input,
                        std::string_view key) {
  const Result<Json> accepted =
      ask("submit", {{"id", id}, {"agent", agent}, {"instanceKey", key}, {"input", input}});
  EXPECT_TRUE(accepted.ok()) << accepted.error().message;
}

std::string TestClient::ended(std::string_view id) {
  while (true) {
    const JsonObject done = observed("message.finished");
    if (done.empty()) return "the orchestrator is gone";
    if (text_field(done, "id") != id) continue;
    if (const JsonObject* error = object_field(done, "error")) return text_field(*error, "code");
    return text_field(done, "response");
  }
}

std::string TestClient::turn(std::string_view agent, std::string_view input, std::string_view key) {
  const std::string id = "m" + std::to_string(++last_message_);
  submit(id, agent, input, key);
  return ended(id);
}

bool TestClient::at_end() {
  while (receive()) {
  }
  return true;
}

void TestClient::send_bytes(std::string_view bytes) {
  ::send(channel_->fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

TestSwarm::TestSwarm(JsonObject agents) {
  write_bundle(std::move(agents));
}

TestSwarm::~TestSwarm() = default;

void TestSwarm::write_bundle(JsonObject agents, int grace_ms, std::string_view workspace) {
  const JsonObject bundle{
      {"workspace", workspace}, {"agents", std::move(agents)}, {"graceMs", grace_ms}};
  folder_.write("bundle/new.json", to_text(bundle));
  fs::rename(path("bundle/new.json"), path("bundle/bundle.json"));
}

void TestSwarm::start(const std::vector<std::string>& words) {
  std::pair<os::UniqueFd, os::UniqueFd> sockets = *ipc::make_socket_pair();
  const std::string program = fs::read_symlink("/proc/self/exe");
  std::vector<std::string> environment{"GOONDAN_GDN=" + program, "FROM_SYSTEM=system"};
  for (const char* name : {"PATH", "HOME", "ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr) environment.push_back(std::string(name) + "=" + value);
  }
  std::vector<std::string> argv{program,        "orchestrator",
                                "--bundle",     path("bundle").string(),
                                "--state-root", path("state").string()};
  argv.insert(argv.end(), words.begin(), words.end());
  process_.reset();
  process_.emplace(*os::Child::spawn({.argv = argv,
                                      .environment = environment,
                                      .fds = {{.source = sockets.second.get(), .target = 3}}}));
  owner_ = std::make_unique<TestClient>(std::move(sockets.first));
}

void TestSwarm::run(const std::vector<std::string>& words) {
  start(words);
  EXPECT_FALSE(owner_->event("started").empty());
}

std::unique_ptr<TestClient> TestSwarm::connect() {
  os::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (workspace() / "orchestrator.sock").string();
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const auto* const plain = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket.get(), plain, sizeof(address)) != 0) return nullptr;
  return std::make_unique<TestClient>(std::move(socket));
}

JsonObject TestSwarm::status_of(std::string_view agent, std::string_view key) {
  const Result<Json> status = owner_->ask("status");
  if (!status.ok()) return {};
  for (const Json& one : *array_field(object_or_empty(*status), "agents")) {
    const JsonObject& fields = object_or_empty(one);
    if (text_field(fields, "agent") == agent && text_field(fields, "instanceKey") == key)
      return fields;
  }
  return {};
}

pid_t TestSwarm::pid_of(std::string_view agent, std::string_view key) {
  return static_cast<pid_t>(integer_field(status_of(agent, key), "pid").value_or(0));
}

std::string TestSwarm::end() {
  const std::optional<os::ExitStatus> status = process_->wait(soon());
  return status ? status->text() : "still running";
}

bool TestSwarm::gone(pid_t pid) {
  const os::UniqueFd pidfd = os::open_pidfd(pid);
  return !pidfd || os::wait_readable(pidfd.get(), soon()) == os::Wake::Ready;
}

}  // namespace goondan::orchestrator::test
