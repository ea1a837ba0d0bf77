#include "host/peer/connection.h"

#include <cerrno>
#include <sys/eventfd.h>

#include "os/os_error.h"

namespace goondan::peer {

Result<std::shared_ptr<Connection>> Connection::make(os::UniqueFd socket) {
  os::UniqueFd event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event) return os::os_error("cannot make an event", errno);
  return std::make_shared<Connection>(std::move(socket), std::move(event));
}

Connection::Connection(os::UniqueFd socket, os::UniqueFd reader_event)
    : socket_(std::move(socket)),
      reader_event_(std::move(reader_event)),
      outbox_(socket_.get(), reader_event_.get()) {}

std::uint64_t Connection::new_id() {
  const std::scoped_lock lock(mutex_);
  return ++last_id_;
}

void Connection::answer(std::string frame) {
  if (outbox_.offer(std::move(frame)) != Outbox::Sent::Full) return;
  order_end({.code = ErrorCode::ToolBadReply, .message = "it asks, but does not read the answers"});
}

void Connection::ask_for_life() {
  std::unique_lock lock(mutex_);
  if (life_id_ != 0) return;
  const std::uint64_t id = life_id_ = ++last_id_;
  life_due_ = Clock::now() + kSilentTime;
  lock.unlock();
  // If it cannot be sent, the child does not read, and is not alive either.
  if (const Result<std::string> frame = call_frame(id, "ping", nullptr); frame.ok()) {
    outbox_.offer(*frame);
  }
  wake_reader();
}

bool Connection::is_sign_of_life(std::uint64_t id) {
  const std::scoped_lock lock(mutex_);
  if (id == 0 || id != life_id_) return false;
  life_id_ = 0;
  life_due_ = Deadline::max();
  return true;
}

Deadline Connection::life_due() const {
  const std::scoped_lock lock(mutex_);
  return life_due_;
}

void Connection::order_end(Error why) {
  {
    const std::scoped_lock lock(mutex_);
    if (!order_) order_ = std::move(why);
  }
  wake_reader();
}

std::optional<Error> Connection::ordered_end() const {
  const std::scoped_lock lock(mutex_);
  return order_;
}

void Connection::set_phase(Phase phase) {
  const std::scoped_lock lock(mutex_);
  phase_ = phase;
  phase_changed_.notify_all();
}

Connection::Phase Connection::phase() const {
  const std::scoped_lock lock(mutex_);
  return phase_;
}

Connection::Phase Connection::await_phase(Phase phase) {
  std::unique_lock lock(mutex_);
  phase_changed_.wait(lock, [this, phase] { return phase_ >= phase; });
  return phase_;
}

void Connection::wake_reader() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(reader_event_.get(), &one, sizeof one);
}

}  // namespace goondan::peer
