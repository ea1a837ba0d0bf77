// For tests of the dispatcher: a journal in a folder of its own and processes that only write down
// what they are asked.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdlib.h>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "orchestrator/dispatcher.h"

namespace goondan::orchestrator {

struct Delivered {
  InstanceName to;
  ipc::Message message;

  [[nodiscard]] const JsonObject& payload() const { return object_or_empty(message.payload); }
  [[nodiscard]] std::string kind() const {
    return message.type == ipc::MessageType::Event
               ? text_field(payload(), "kind")
               : std::string(ipc::message_type_name(message.type));
  }
  [[nodiscard]] std::string id() const { return text_field(payload(), "id"); }
};

struct ClientReply {
  std::uint64_t client;
  std::string request_id;
  Result<Json> answer;
};

class FakeProcesses : public Processes {
 public:
  void want(const InstanceName& instance, const std::string& cwd) override {
    wanted.emplace_back(instance, cwd);
  }
  void deliver(const InstanceName& instance, ipc::Message message) override {
    delivered.push_back({instance, std::move(message)});
  }
  void reply(std::uint64_t client, std::string_view request_id, Result<Json> answer) override {
    replies.push_back({client, std::string(request_id), std::move(answer)});
  }
  void observe(JsonObject observation) override { observed.push_back(std::move(observation)); }
  void restart(std::string_view reason) override { restarts.emplace_back(reason); }
  void bundle_changed(std::function<void(const Result<void>&)> loaded) override {
    bundle_changes.push_back(std::move(loaded));
  }
  std::vector<std::function<void(const Result<void>&)>> bundle_changes;

  std::vector<std::pair<InstanceName, std::string>> wanted;
  std::vector<Delivered> delivered;
  std::vector<ClientReply> replies;
  std::vector<JsonObject> observed;
  std::vector<std::string> restarts;
};

class World {
 public:
  explicit World(std::vector<std::string> agents = {"alpha", "beta", "gamma"}) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "gdn-dispatcher-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
    swarm = {.name = "team", .entry_agent = agents.front(), .agents = std::move(agents)};
    start();
  }
  ~World() {
    dispatcher.reset();
    journal.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // A new orchestrator over the same journal; whoever ran before is gone.
  void start() {
    dispatcher.reset();
    journal.reset();
    Result<store::Journal> opened =
        store::Journal::open(folder_, {.busy_wait = std::chrono::milliseconds(1)});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    journal = std::make_unique<store::Journal>(*std::move(opened));
    dispatcher = std::make_unique<Dispatcher>(*journal, swarm, processes);
    const Result<void> restored = dispatcher->restore();
    ASSERT_TRUE(restored.ok()) << restored.error().message;
  }

  // What a client asked; the last reply.
  Result<Json> client(std::string_view kind, const JsonObject& params, std::uint64_t who = 1) {
    const std::size_t before = processes.replies.size();
    dispatcher->on_client(who, kind, "r", params);
    if (processes.replies.size() == before) return tool_error("no reply yet");
    return processes.replies.back().answer;
  }
  Result<Json> submit(std::string_view id, std::string_view agent = "alpha",
                      std::string_view key = "") {
    return client("submit", {{"id", id}, {"agent", agent}, {"instanceKey", key}, {"input", "do"}});
  }

  void event(const InstanceName& from, JsonObject payload) {
    dispatcher->on_message(from, {.payload = std::move(payload)});
  }
  void done(const InstanceName& from, std::string_view id, std::string_view status = "ok",
            std::string_view response = "fine") {
    JsonObject payload{{"kind", "turn_done"}, {"id", id}, {"status", status}};
    if (status == "ok") payload["response"] = response;
    if (status == "error") payload["error"] = JsonObject{{"code", "E_TOOL"}, {"message", response}};
    event(from, std::move(payload));
  }
  // The answer to a request, as the target gives it.
  void result(const InstanceName& from, const Delivered& request, std::string_view status = "ok",
              std::string_view response = "fine") {
    JsonObject payload{{"id", request.id()}, {"status", status}};
    if (status == "ok") payload["response"] = response;
    if (status == "error") payload["error"] = JsonObject{{"code", "E_TOOL"}, {"message", response}};
    dispatcher->on_message(from, {.type = ipc::MessageType::DelegateResult,
                                  .payload = std::move(payload),
                                  .correlation_id = request.message.correlation_id});
  }
  void ask(const InstanceName& from, std::string_view id, std::string_view target,
           JsonObject more = {}) {
    JsonObject payload{{"id", id}, {"target", target}, {"input", "help"}, {"spanId", "5pan"}};
    for (const auto& member : more)
      payload.insert_or_assign(member.key(), member.value());
    dispatcher->on_message(from,
                           {.type = ipc::MessageType::Delegate, .payload = std::move(payload)});
  }
  // A `request` of an agent; its reply's payload.
  JsonObject request(const InstanceName& from, std::string_view method, JsonObject params = {}) {
    event(from, {{"kind", "request"},
                 {"requestId", "q"},
                 {"method", method},
                 {"params", std::move(params)}});
    return last(from, "reply").value_or(Delivered{}).message.payload.is_object()
               ? last(from, "reply")->payload()
               : JsonObject{};
  }

  // The last thing of this kind that the instance was given.
  std::optional<Delivered> last(const InstanceName& to, std::string_view kind) const {
    for (auto one = processes.delivered.rbegin(); one != processes.delivered.rend(); ++one) {
      if (one->to == to && one->kind() == kind) return *one;
    }
    return {};
  }
  std::vector<std::string> ids(const InstanceName& to, std::string_view kind) const {
    std::vector<std::string> found;
    for (const Delivered& one : processes.delivered) {
      if (one.to == to && one.kind() == kind) found.push_back(one.id());
    }
    return found;
  }
  std::vector<std::string> observed(std::string_view type) const {
    std::vector<std::string> found;
    for (const JsonObject& one : processes.observed) {
      if (text_field(one, "type") == type) found.push_back(to_text(one));
    }
    return found;
  }
  std::size_t unfinished() const { return journal->unfinished()->size(); }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  SwarmInfo swarm;
  FakeProcesses processes;
  std::unique_ptr<store::Journal> journal;
  std::unique_ptr<Dispatcher> dispatcher;

 private:
  std::filesystem::path folder_;
};

inline const InstanceName kAlpha{"alpha", "default"};
inline const InstanceName kBeta{"beta", "default"};
inline const InstanceName kGamma{"gamma", "default"};
inline constexpr Deadline kFarFuture = Deadline::max();

}  // namespace goondan::orchestrator
