// One call of a child: sending it, serving what is asked while it lasts, and giving up on it.
#include "host/peer/peer_child.h"
#include "host/peer/side_requests.h"

namespace goondan::peer {
namespace {

using Place = WaitingCalls::Place;

// Requests of this method may be answered beside each other.
constexpr std::string_view kSideBySide = "runtime";

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

class PeerChild::Conversation {
 public:
  Conversation(PeerChild& child, const PeerCall& call, std::uint64_t id)
      : name_(child.name_),
        connection_(*child.connection_),
        call_(call),
        id_(id),
        place_(connection_.calls(), id),
        wake_(call.stop, [this] { place_.wake(); }),
        side_(child.threads_) {}

  Result<Json> run(std::string frame) {
    using Sent = Outbox::Sent;
    switch (connection_.outbox().send(std::move(frame), id_, call_.deadline, call_.stop)) {
      case Sent::TimedOut:
      case Sent::Full:
        return gave_up(Place::Wake::TimedOut);
      case Sent::Stopped:
        return gave_up(Place::Wake::Stopped);
      case Sent::Yes:
      case Sent::Closed:  // the end comes as an event
        break;
    }
    return await_reply();
  }

 private:
  Result<Json> await_reply() {
    while (true) {
      // Read anew each time: whoever serves requests may change it.
      Place::Event event = place_.next(call_.deadline, call_.stop);
      if (event.wake == Place::Wake::Ended) return connection_.calls().end_error();
      if (event.wake != Place::Wake::Message) {
        cancel();
        return gave_up(event.wake);
      }
      Incoming& message = event.message;
      if (message.type == Incoming::Type::Reply) {
        if (message.error) return *std::move(message.error);
        return std::move(message.value);
      }
      serve(std::move(message));
    }
  }

  void serve(Incoming message) {
    if (message.type == Incoming::Type::Notify) {
      if (call_.on_notify) call_.on_notify(message.method, message.value);
      return;
    }
    if (message.method != kSideBySide) return answer(message);
    side_.run([this, message = std::move(message)] { answer(message); });
  }

  void answer(const Incoming& request) {
    const Result<Json> answer = call_.on_request
                                    ? call_.on_request(request.method, request.value)
                                    : Result<Json>(Error{.code = ErrorCode::RuntimeUnavailable,
                                                         .message = in_quotes(request.method) +
                                                                    " cannot be asked for here"});
    connection_.answer(answer_frame(request.id, answer));
  }

  // Tells the other side to stop and gives it a moment. One that says nothing is asked whether it
  // lives, and ended if it does not.
  void cancel() {
    if (connection_.outbox().withdraw(id_)) return;
    connection_.outbox().offer(cancel_frame(id_));
    const Deadline grace = Clock::now() + kPeerCancelGrace;
    while (true) {
      const Place::Event event = place_.next(grace, {});
      if (event.wake == Place::Wake::TimedOut) return connection_.ask_for_life();
      if (event.wake != Place::Wake::Message) return;
      if (event.message.type == Incoming::Type::Reply) return;
      if (event.message.type == Incoming::Type::Request) {
        connection_.answer(answer_frame(event.message.id, gave_up(Place::Wake::Stopped)));
      }
    }
  }

  [[nodiscard]] Error gave_up(Place::Wake wake) const {
    const std::string what = in_quotes(call_.method) + " of " + name_;
    if (wake == Place::Wake::Stopped) {
      return {.code = ErrorCode::ToolCancelled, .message = what + " was cancelled"};
    }
    return {.code = ErrorCode::ToolTimeout,
            .message = what + " did not answer in time",
            .suggestion = "Ask for less at once, or allow the call more time."};
  }

  const std::string& name_;
  Connection& connection_;
  const PeerCall& call_;
  std::uint64_t id_;
  Place place_;
  std::stop_callback<std::function<void()>> wake_;
  SideRequests side_;  // the last member: its jobs use the others
};

Result<Json> PeerChild::call(const PeerCall& call) {
  const std::uint64_t id = connection_->new_id();
  std::string frame = GDN_TRY(call_frame(id, call.method, call.params));
  return Conversation(*this, call, id).run(std::move(frame));
}

}  // namespace goondan::peer
