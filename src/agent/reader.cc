#include "agent/reader.h"

#include <algorithm>
#include <unistd.h>

#include "base/json_fields.h"
#include "os/process_tree.h"

namespace goondan::agent {
namespace {

using std::chrono::milliseconds;

// What of the time for a shutdown is kept for ending calls and saying goodbye.
constexpr milliseconds kGoodbyeTime{1'000};
constexpr milliseconds kMaxGrace = std::chrono::hours{24};
constexpr std::chrono::seconds kKillTime{3};

milliseconds time_for_turn(const JsonObject& payload) {
  const std::int64_t given =
      integer_field(payload, "gracePeriodMs").value_or(milliseconds(kDefaultShutdownGrace).count());
  const milliseconds grace =
      std::clamp(milliseconds{given}, milliseconds{0}, milliseconds{kMaxGrace});
  return std::max(grace - kGoodbyeTime, grace / 2);
}

}  // namespace

Reader::Reader(Link& link, Inbox& inbox)
    : link_(link), inbox_(inbox), thread_([this](const std::stop_token& stop) { run(stop); }) {}

Reader::~Reader() = default;

void Reader::attach(const RunningAgent& agent) {
  const std::lock_guard lock(mutex_);
  agent_ = &agent;
}

void Reader::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Reader::run(const std::stop_token& stop) {
  const os::StopWaker waker(stop);
  while (!stop.stop_requested()) {
    const Result<ipc::Message> message = link_.receive(interrupt_at_, waker);
    if (message.ok()) {
      on_message(*message);
    } else if (message.error().code == ErrorCode::ToolTimeout) {
      on_interrupt_time();
    } else if (message.error().code != ErrorCode::ToolCancelled) {
      return on_gone(stop);
    }
  }
}

void Reader::on_message(const ipc::Message& message) {
  using ipc::MessageType;
  const std::lock_guard lock(mutex_);
  switch (message.type) {
    case MessageType::Delegate:
      return on_turn(message);
    case MessageType::DelegateResult:
      if (agent_ != nullptr) agent_->runtime.on_result(message);
      return;
    case MessageType::Event:
      return on_event(message);
    case MessageType::Shutdown:
      return on_shutdown(object_or_empty(message.payload));
    case MessageType::ShutdownAck:
      return;
  }
}

void Reader::on_event(const ipc::Message& message) {
  const JsonObject& payload = object_or_empty(message.payload);
  const std::string kind = text_field(payload, "kind");
  if (kind == "turn") return on_turn(message);
  if (agent_ == nullptr) return;  // nothing else is said before `ready`
  if (kind == "reply") agent_->runtime.on_reply(payload);
  if (kind == "inject") on_injection(payload);
  if (kind == "cancel") agent_->runner.cancel();
}

void Reader::on_turn(const ipc::Message& message) {
  Delivery delivery{.answer = message.type == ipc::MessageType::Delegate
                                  ? ipc::MessageType::DelegateResult
                                  : ipc::MessageType::Event,
                    .correlation_id = message.correlation_id};
  Result<TurnMessage> read = TurnMessage::from_json(message.payload);
  if (read.ok()) {
    delivery.message = *std::move(read);
  } else {
    delivery.message.id = text_field(object_or_empty(message.payload), "id");
    delivery.problem = read.error();
  }
  inbox_.put(std::move(delivery));
}

// Acknowledged by the thread that takes turns, when the turn that used it is over. One that the
// store does not take is not, and comes again.
void Reader::on_injection(const JsonObject& payload) {
  const std::string id = text_field(payload, "id");
  const auto added = agent_->store.add_injection({.id = id, .json = to_text(payload)});
  if (added.ok()) inbox_.note_injection(id);
}

void Reader::on_shutdown(const JsonObject& payload) {
  end_ = End::Shutdown;
  interrupt_at_ = std::min(interrupt_at_, Clock::now() + time_for_turn(payload));
  inbox_.close();
  ending_.request_stop();
}

void Reader::on_interrupt_time() {
  interrupt_at_ = Deadline::max();
  const std::lock_guard lock(mutex_);
  if (agent_ != nullptr) agent_->runner.interrupt();
}

void Reader::on_gone(const std::stop_token& stop) {
  end_ = End::Gone;
  inbox_.close();
  ending_.request_stop();
  std::unique_lock lock(mutex_);
  if (agent_ != nullptr) {
    agent_->runtime.on_gone();
    agent_->runner.interrupt();
  }
  stopped_.wait_for(lock, stop, kEndTime, [] { return false; });
  if (stop.stop_requested()) return;
  // A handler that does not let go must not keep the process.
  os::kill_descendants(::getpid(), Clock::now() + kKillTime);
  ::_exit(1);
}

}  // namespace goondan::agent
