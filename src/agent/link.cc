#include "agent/link.h"

namespace goondan::agent {
namespace {

constexpr std::string_view kOrchestrator = "orchestrator";

}  // namespace

Result<void> Link::send(ipc::MessageType type, Json payload, std::string correlation_id) {
  return channel_.send({.type = type,
                        .from = self_,
                        .to = std::string(kOrchestrator),
                        .payload = std::move(payload),
                        .correlation_id = std::move(correlation_id)},
                       Clock::now() + kSendTime);
}

Result<void> Link::send_event(std::string_view kind, const JsonObject& payload) {
  JsonObject event{{"kind", kind}};
  event.insert(payload.begin(), payload.end());
  return send(ipc::MessageType::Event, std::move(event));
}

}  // namespace goondan::agent
