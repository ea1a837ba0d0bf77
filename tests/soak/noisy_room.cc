#include "noisy_room.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include "base/json_fields.h"

namespace goondan::soak {
namespace {

namespace fs = std::filesystem;
using orchestrator::Dispatcher;
using orchestrator::InstanceName;

constexpr std::array<const char*, 3> kAgents{"alpha", "beta", "gamma"};
constexpr std::size_t kClients = 4;
constexpr std::size_t kHappensOnceIn = 16;
constexpr int kRounds = 100'000;  // until a message must have come to its end
constexpr std::string_view kGoodIds = "good_";

}  // namespace

NoisyRoom::NoisyRoom(FrameMaker& maker, NoiseCounts& counts) : maker_(maker), counts_(counts) {
  std::string pattern = (fs::temp_directory_path() / "gdn-frames-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) std::abort();
  folder_ = pattern;
  open();
}

NoisyRoom::~NoisyRoom() {
  dispatcher_.reset();
  journal_.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void NoisyRoom::open() {
  dispatcher_.reset();
  journal_.reset();
  wanted_.clear();
  ready_.clear();
  turns_.clear();
  orchestrator::Processes& processes = *this;
  journal_ = std::make_unique<store::Journal>(store::Journal::open(folder_).value());
  dispatcher_ = std::make_unique<Dispatcher>(
      *journal_,
      orchestrator::SwarmInfo{.name = "noise",
                              .entry_agent = kAgents.front(),
                              .agents = {kAgents.begin(), kAgents.end()}},
      processes);
  if (!dispatcher_->restore().ok()) std::abort();
}

void NoisyRoom::want(const InstanceName& instance, const std::string& /*cwd*/) {
  if (!ready_.contains(instance)) wanted_.insert(instance);
}

void NoisyRoom::deliver(const InstanceName& instance, ipc::Message message) {
  ++counts_.delivered;
  if (!ready_.contains(instance)) std::abort();  // nobody is there to get it
  const bool turn = message.type == ipc::MessageType::Delegate ||
                    text_field(object_or_empty(message.payload), "kind") == "turn";
  if (turn) turns_[instance] = std::move(message);
}

void NoisyRoom::reply(std::uint64_t /*client*/, std::string_view /*request_id*/,
                      Result<Json> answer) {
  ++(answer.ok() ? counts_.replies : counts_.errors);
}

void NoisyRoom::observe(JsonObject observation) {
  if (text_field(observation, "type") != "message.finished") return;
  const std::string id = text_field(observation, "id");
  if (id.starts_with(kGoodIds)) finished_.insert(id);
}

void NoisyRoom::restart(std::string_view /*reason*/) {}

void NoisyRoom::step() {
  const Speaker speaker = maker_.below(2) == 0 ? Speaker::Client : Speaker::Agent;
  const std::size_t which = maker_.below(speaker == Speaker::Client ? kClients : kAgents.size());
  take(speaker, which, maker_.next(speaker));
  if (maker_.below(kHappensOnceIn) == 0) happen();
}

// As a `Peer` does it: whoever speaks nonsense is cut off.
void NoisyRoom::take(Speaker speaker, std::size_t which, const std::string& bytes) {
  ++counts_.frames;
  ipc::MessageDecoder& decoder = connections_[{speaker, which}];
  decoder.feed(bytes);
  while (true) {
    Result<std::optional<ipc::Message>> message = decoder.next();
    if (message.ok() && !*message) return;
    if (message.ok()) {
      hear(speaker, which, **message);
      continue;
    }
    ++counts_.cut_off;
    connections_.erase({speaker, which});
    const InstanceName agent{kAgents[which % kAgents.size()], "default"};
    if (speaker == Speaker::Client) dispatcher_->on_client_gone(which + 1);
    if (speaker == Speaker::Agent && ready_.erase(agent) > 0) {
      turns_.erase(agent);
      dispatcher_->on_exit(agent, Dispatcher::Ending::Crashed);
    }
    return;
  }
}

void NoisyRoom::hear(Speaker speaker, std::size_t which, const ipc::Message& message) {
  ++counts_.messages;
  const JsonObject& payload = object_or_empty(message.payload);
  if (speaker == Speaker::Client) {
    dispatcher_->on_client(which + 1, text_field(payload, "kind"), text_field(payload, "requestId"),
                           payload);
    return;
  }
  dispatcher_->on_message({kAgents[which], "default"}, message);
}

void NoisyRoom::happen() {
  start_wanted();
  if (maker_.below(4) == 0) finish_turns();
  if (maker_.below(8) == 0) {
    dispatcher_->on_timer(Clock::now() + std::chrono::milliseconds(maker_.below(100)));
  }
  if (maker_.below(16) == 0 && !ready_.empty()) {
    const auto one = std::next(ready_.begin(), static_cast<long>(maker_.below(ready_.size())));
    const InstanceName gone = *one;
    ready_.erase(one);
    turns_.erase(gone);
    dispatcher_->on_exit(
        gone, maker_.below(2) == 0 ? Dispatcher::Ending::Crashed : Dispatcher::Ending::Expected);
  }
}

void NoisyRoom::start_wanted() {
  for (const InstanceName& name : std::exchange(wanted_, {})) {
    ready_.insert(name);
    dispatcher_->on_ready(name);
  }
}

void NoisyRoom::finish_turns() {
  for (const auto& [name, message] : std::exchange(turns_, {})) {
    JsonObject payload{{"kind", "turn_done"},
                       {"id", text_field(object_or_empty(message.payload), "id")},
                       {"status", "ok"},
                       {"response", "fine"}};
    const bool request = message.type == ipc::MessageType::Delegate;
    if (ready_.contains(name))
      dispatcher_->on_message(
          name, {.type = request ? ipc::MessageType::DelegateResult : ipc::MessageType::Event,
                 .payload = std::move(payload),
                 .correlation_id = message.correlation_id});
  }
}

bool NoisyRoom::works() {
  const std::string id = std::string(kGoodIds) + std::to_string(counts_.frames) + "_" +
                         std::to_string(finished_.size());
  // Noise may have filled the queue; then there is room once turns have ended.
  for (int i = 0; i < kRounds && !finished_.contains(id); ++i) {
    if (i % 1000 == 0)
      dispatcher_->on_client(kClients + 1, "submit", "good",
                             {{"id", id}, {"agent", "alpha"}, {"input", "are you there?"}});
    start_wanted();
    finish_turns();
    dispatcher_->on_timer(Clock::now());
  }
  return finished_.contains(id);
}

bool NoisyRoom::restarts() {
  open();
  return works();
}

}  // namespace goondan::soak
