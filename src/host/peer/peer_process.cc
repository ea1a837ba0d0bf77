#include "host/peer/peer_process.h"

#include <condition_variable>
#include <mutex>
#include <vector>

#include "host/peer/peer_child.h"

namespace goondan {
namespace {

using peer::PeerChild;
using ChildPtr = std::shared_ptr<PeerChild>;

// Threads that are kept for what comes next.
constexpr std::size_t kIdleThreads = 2;

// What a setup is given: calls reach the child before it counts as ready.
class SetupPeer final : public Peer {
 public:
  SetupPeer(Peer& owner, PeerChild& child) : owner_(owner), child_(child) {}
  Result<Json> call(const PeerCall& call) override { return child_.call(call); }
  Result<void> add_setup(Setup setup) override { return setup(*this); }
  void listen(std::shared_ptr<PeerListener> listener) override {
    owner_.listen(std::move(listener));
  }

 private:
  Peer& owner_;
  PeerChild& child_;
};

class PeerProcess final : public Peer {
 public:
  explicit PeerProcess(PeerProcessOptions options)
      : options_(std::move(options)), listeners_(threads_), restarts_(options_.restarts) {}
  ~PeerProcess() override;

  Result<Json> call(const PeerCall& call) override;
  Result<void> add_setup(Setup setup) override;
  void listen(std::shared_ptr<PeerListener> listener) override {
    listeners_.add(std::move(listener));
  }

 private:
  // One attempt at starting, for all who wait for it. Guarded by `mutex_`.
  struct Start {
    ChildPtr child = {};  // as soon as there is one
    std::optional<Result<void>> outcome = {};
  };

  Result<ChildPtr> ready_child(Deadline deadline, const std::stop_token& stop);
  Result<std::shared_ptr<Start>> current_start();
  Error too_often() const;
  void run_start(const std::shared_ptr<Start>& start);
  Result<void> bring_up(Start& start);
  Result<void> run_setups(PeerChild& child);

  PeerProcessOptions options_;
  WorkerThreads threads_{kIdleThreads};
  peer::PeerListeners listeners_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::shared_ptr<Start> start_;  // the latest; its child is the one to call
  std::vector<Setup> setups_;
  peer::Restarts restarts_;
  std::optional<Error> last_end_;
  bool closing_ = false;
};

PeerProcess::~PeerProcess() {
  std::unique_lock lock(mutex_);
  closing_ = true;
  if (!start_) return;
  if (start_->child) start_->child->end();
  changed_.wait(lock, [this] { return start_->outcome.has_value(); });
  const ChildPtr child = start_->child;
  lock.unlock();
  if (child) child->await_gone();
}

Result<Json> PeerProcess::call(const PeerCall& call) {
  const ChildPtr child = GDN_TRY(ready_child(call.deadline, call.stop));
  Result<Json> result = child->call(call);
  // That it was started is no sign that what it is to run does not end it.
  if (result.ok() && call.method != "ping") {
    const std::scoped_lock lock(mutex_);
    restarts_.note_good_call();
  }
  return result;
}

Result<void> PeerProcess::add_setup(Setup setup) {
  while (true) {
    const ChildPtr child = GDN_TRY(ready_child(Deadline::max(), {}));
    SetupPeer given(*this, *child);
    GDN_TRY(setup(given));
    const std::scoped_lock lock(mutex_);
    if (start_->child != child) continue;  // it was replaced by one that knows nothing of this
    setups_.push_back(std::move(setup));
    return {};
  }
}

Error PeerProcess::too_often() const {
  using std::chrono::seconds;
  const auto left = std::chrono::ceil<seconds>(restarts_.next_start() - Clock::now());
  return {.code = ErrorCode::HostUnavailable,
          .message = options_.name + " ended " + std::to_string(restarts_.ends_in_a_row()) +
                     " times in a row and is started again in " + std::to_string(left.count()) +
                     " s; last: " + (last_end_ ? last_end_->message : std::string()),
          .suggestion = "Mend what ends it, or wait."};
}

// The start that a call has to wait for: the one under way, the last if its child runs, else a new
// one.
Result<std::shared_ptr<PeerProcess::Start>> PeerProcess::current_start() {
  if (start_ && !start_->outcome) return start_;
  if (start_ && start_->outcome->ok() && !start_->child->ended()) return start_;
  if (start_ && start_->outcome->ok()) {
    last_end_ = start_->child->end_error();
    restarts_.note_end(Clock::now());
    start_->outcome = Result<void>(*last_end_);
  }
  if (Clock::now() < restarts_.next_start()) return too_often();
  auto start = std::make_shared<Start>();
  GDN_TRY(threads_.start([this, start] { run_start(start); }));
  start_ = start;
  return start;
}

Result<ChildPtr> PeerProcess::ready_child(Deadline deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Start> start = GDN_TRY(current_start());
  const auto done = [&start] { return start->outcome.has_value(); };
  if (!done() && !changed_.wait_until(lock, stop, deadline, done)) {
    const bool stopped = stop.stop_requested();
    return Error{.code = stopped ? ErrorCode::ToolCancelled : ErrorCode::ToolTimeout,
                 .message = options_.name + (stopped ? " was not awaited: the call was cancelled"
                                                     : " did not start in the call's time"),
                 .suggestion = stopped ? "" : "Try again; it is still being started."};
  }
  if (!start->outcome->ok()) return start->outcome->error();
  return start->child;
}

// On a thread of its own, so that a call with little time does not end a start that takes longer.
void PeerProcess::run_start(const std::shared_ptr<Start>& start) {
  Result<void> outcome = bring_up(*start);
  if (!outcome.ok() && start->child) {
    start->child->end();
    start->child->await_gone();
  }
  const std::scoped_lock lock(mutex_);
  if (!outcome.ok() && start->child) {
    last_end_ = outcome.error();
    restarts_.note_end(Clock::now());
  }
  start->outcome = std::move(outcome);
  changed_.notify_all();
}

Result<void> PeerProcess::bring_up(Start& start) {
  ChildPtr child =
      GDN_TRY(PeerChild::start(options_, {.threads = threads_, .listeners = listeners_}));
  {
    const std::scoped_lock lock(mutex_);
    start.child = child;
    if (closing_) child->end();
  }
  GDN_TRY(child->await_hello());
  return run_setups(*child);
}

Result<void> PeerProcess::run_setups(PeerChild& child) {
  std::unique_lock lock(mutex_);
  const std::vector<Setup> setups = setups_;
  lock.unlock();
  SetupPeer given(*this, child);
  for (const Setup& setup : setups)
    GDN_TRY(setup(given));
  return {};
}

}  // namespace

std::shared_ptr<Peer> make_peer_process(PeerProcessOptions options) {
  return std::make_shared<PeerProcess>(std::move(options));
}

}  // namespace goondan
