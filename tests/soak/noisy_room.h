// A dispatcher with its journal, between clients and agents that may say anything.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "frame_maker.h"
#include "orchestrator/dispatcher.h"

namespace goondan::soak {

struct NoiseCounts {
  std::uint64_t frames = 0;
  std::uint64_t messages = 0;  // that could be read
  std::uint64_t cut_off = 0;   // connections, after a frame that could not
  std::uint64_t delivered = 0;
  std::uint64_t replies = 0;
  std::uint64_t errors = 0;  // of the replies
};

// Thread-compatible. The agents behave except for what the frames say in their name.
class NoisyRoom final : private orchestrator::Processes {
 public:
  NoisyRoom(FrameMaker& maker, NoiseCounts& counts);
  ~NoisyRoom() override;
  NoisyRoom(const NoisyRoom&) = delete;
  NoisyRoom& operator=(const NoisyRoom&) = delete;

  // One frame over one of the connections, and now and then something that happens by itself.
  void step();
  // Whether a good message still comes to its end; then the same after a start from the journal.
  bool works();
  bool restarts();

 private:
  void want(const orchestrator::InstanceName& instance, const std::string& cwd) override;
  void deliver(const orchestrator::InstanceName& instance, ipc::Message message) override;
  void reply(std::uint64_t client, std::string_view request_id, Result<Json> answer) override;
  void observe(JsonObject observation) override;
  void restart(std::string_view reason) override;
  void bundle_changed(std::function<void(const Result<void>&)>) override {}

  void open();
  void take(Speaker speaker, std::size_t which, const std::string& bytes);
  void hear(Speaker speaker, std::size_t which, const ipc::Message& message);
  void happen();
  void start_wanted();
  void finish_turns();

  FrameMaker& maker_;
  NoiseCounts& counts_;
  std::filesystem::path folder_;
  std::unique_ptr<store::Journal> journal_;
  std::unique_ptr<orchestrator::Dispatcher> dispatcher_;
  std::map<std::pair<Speaker, std::size_t>, ipc::MessageDecoder> connections_;
  std::set<orchestrator::InstanceName> wanted_;
  std::set<orchestrator::InstanceName> ready_;
  std::map<orchestrator::InstanceName, ipc::Message> turns_;  // that run
  std::set<std::string> finished_;                            // of the good messages
};

}  // namespace goondan::soak
