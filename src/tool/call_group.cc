#include "tool/call_group.h"

#include <atomic>

#include "base/spin.h"
#include "tool/execution.h"

namespace goondan {

struct CallGroup::Tower {
  std::mutex mutex;
  std::condition_variable_any landed;
  std::atomic<std::size_t> landings = 0;
  enum class Watch { Looking, Asleep } watch = Watch::Looking;  // guarded by the mutex
};

struct CallGroup::Flight {
  Flight(std::size_t i, const ToolCall& c, std::shared_ptr<ExecutionShared> s)
      : index(i), call(c), shared(std::move(s)), events(call, shared->options) {}

  // Set before the thread starts, then only read. The catalog is held because the admission points
  // into it: a handler that is left behind must not depend on the caller's copy.
  const std::size_t index;
  const ToolCall call;
  const std::shared_ptr<ExecutionShared> shared;
  std::shared_ptr<const CallScope> scope;
  std::optional<ToolCatalog> catalog;
  Admission admission{};
  std::shared_ptr<Tower> tower;
  Deadline deadline{};

  CallEvents events;
  std::stop_source stop;

  // Guarded by the tower's mutex. A result that comes after `closed` is dropped.
  std::optional<ToolCallResult> result;
  Deadline landed_at{};
  bool closed = false;

  // Only the group's thread looks at these.
  enum class Order { None, Cancel, Timeout } order = Order::None;
  Deadline answer_by{};

  static void fly(std::shared_ptr<Flight> flight);
  ToolCallResult run_handler();
  static void land(std::shared_ptr<Flight> flight, ToolCallResult outcome);
  void count_landing() const;
};

// Runs on the flight's own thread.
void CallGroup::Flight::fly(std::shared_ptr<Flight> flight) {
  ToolCallResult outcome = flight->run_handler();
  land(std::move(flight), std::move(outcome));
}

ToolCallResult CallGroup::Flight::run_handler() {
  ToolContext context({.scope = *scope,
                       .tool_call_id = call.id,
                       .deadline = deadline,
                       .stop = stop.get_token(),
                       .host = events});
  events.set_context(context);
  return execute(admission, call, shared->options, context);
}

// The thread lets go of the flight before the group can see the answer: what a call owns (a client,
// a peer) then ends on the caller's thread, never on this one while the process ends.
void CallGroup::Flight::land(std::shared_ptr<Flight> flight, ToolCallResult outcome) {
  const std::shared_ptr<Tower> tower = flight->tower;
  std::unique_lock lock(tower->mutex);
  flight->count_landing();
  if (flight->closed) {
    lock.unlock();
    return flight->events.late_return();
  }
  flight->landed_at = Clock::now();
  flight->result = std::move(outcome);
  flight.reset();
  tower->landings.fetch_add(1, std::memory_order_release);
  if (tower->watch == Tower::Watch::Asleep) tower->landed.notify_all();
}

// With the tower's mutex held.
void CallGroup::Flight::count_landing() const {
  const std::lock_guard counting(shared->counts.mutex);
  ExecutorStats& stats = shared->counts.stats;
  --stats.running;
  if (!closed) return;
  --stats.abandoned;
  ++stats.late_returns;
}

CallGroup::CallGroup(const ToolRegistry& registry, std::shared_ptr<ExecutionShared> shared,
                     WorkerThreads& threads, const GroupRequest& request)
    : registry_(registry),
      shared_(std::move(shared)),
      threads_(threads),
      request_(request),
      timeout_(effective_timeout(request.options, shared_->options)),
      tower_(std::make_shared<Tower>()),
      results_(request.calls.size()) {}

std::vector<ToolCallResult> CallGroup::run() {
  while (true) {
    start_more();
    if (flying_.empty()) return std::move(results_);
    wait();
    collect();
  }
}

void CallGroup::start_more() {
  const std::size_t limit = std::max<std::size_t>(shared_->options.max_concurrent, 1);
  while (next_ < request_.calls.size() && flying_.size() < limit)
    start(next_++);
}

void CallGroup::start(std::size_t index) {
  auto flight = std::make_shared<Flight>(index, request_.calls[index], shared_);
  flight->events.start();
  const Result<void> started = take_off(flight);
  if (started.ok()) {
    flying_.push_back(std::move(flight));
  } else {
    answer(*flight, ToolCallResult::failure(flight->call, started.error()));
  }
}

Result<void> CallGroup::take_off(const std::shared_ptr<Flight>& flight) {
  if (stopping()) return cancelled_error(flight->call);
  flight->catalog = request_.catalog;
  flight->admission =
      GDN_TRY(admit(*flight->catalog, registry_, flight->call, shared_->options.registry_bypass));
  flight->scope = request_.options.scope ? request_.options.scope : shared_->empty_scope;
  flight->tower = tower_;
  flight->deadline = Clock::now() + timeout_;
  GDN_TRY(count_in());
  Result<void> started = threads_.start([own = flight]() mutable { Flight::fly(std::move(own)); });
  if (!started.ok()) count_out();
  return started;
}

Result<void> CallGroup::count_in() {
  const std::lock_guard lock(shared_->counts.mutex);
  ExecutorStats& stats = shared_->counts.stats;
  if (stats.abandoned >= shared_->options.max_abandoned) {
    return Error{.code = ErrorCode::ToolBusy,
                 .message = std::to_string(stats.abandoned) +
                            " earlier calls never returned; no further call is started",
                 .suggestion = "Restart the program and look at the tools that hung."};
  }
  ++stats.running;
  return {};
}

void CallGroup::count_out() {
  const std::lock_guard lock(shared_->counts.mutex);
  --shared_->counts.stats.running;
}

// Until a flight lands, the earliest of their deadlines, or a cancellation from outside.
void CallGroup::wait() {
  const auto landed_meanwhile = [this] {
    return tower_->landings.load(std::memory_order_acquire) != landings_seen_;
  };
  // With several flights the processor is better left to them.
  const bool seen = flying_.size() == 1 && spin_until(landed_meanwhile);
  landings_seen_ = tower_->landings.load(std::memory_order_acquire);
  if (seen) return;
  std::unique_lock lock(tower_->mutex);
  tower_->watch = Tower::Watch::Asleep;
  Deadline wake = Deadline::max();
  for (const auto& flight : flying_) {
    wake =
        std::min(wake, flight->order == Flight::Order::None ? flight->deadline : flight->answer_by);
  }
  const auto landed = [this] {
    return std::any_of(flying_.begin(), flying_.end(),
                       [](const auto& flight) { return flight->result.has_value(); });
  };
  const bool untold = std::any_of(flying_.begin(), flying_.end(), [](const auto& flight) {
    return flight->order == Flight::Order::None;
  });
  if (stopping()) {
    // A token that has fired would end every wait at once; all flights have been told already.
    if (!untold) tower_->landed.wait_until(lock, wake, landed);
  } else {
    tower_->landed.wait_until(lock, request_.options.stop, wake, landed);
  }
  tower_->watch = Tower::Watch::Looking;
}

void CallGroup::collect() {
  std::erase_if(flying_, [this](const std::shared_ptr<Flight>& flight) {
    if (close_if_over(*flight)) {
      answer(*flight, final_result(*flight));
      return true;
    }
    const bool told = flight->order != Flight::Order::None;
    if (!told && (stopping() || Clock::now() >= flight->deadline)) tell_to_stop(*flight);
    return false;
  });
}

// Whether the flight needs no more waiting: it has landed, or its grace is over.
bool CallGroup::close_if_over(Flight& flight) {
  const std::lock_guard lock(tower_->mutex);
  const bool overdue = flight.order != Flight::Order::None && Clock::now() >= flight.answer_by;
  flight.closed = flight.result.has_value() || overdue;
  if (flight.closed && !flight.result) {
    const std::lock_guard counting(shared_->counts.mutex);
    ++shared_->counts.stats.abandoned;
  }
  return flight.closed;
}

void CallGroup::tell_to_stop(Flight& flight) {
  flight.order = stopping() ? Flight::Order::Cancel : Flight::Order::Timeout;
  flight.answer_by = Clock::now() + shared_->options.cancel_grace;
  flight.stop.request_stop();
}

void CallGroup::answer(Flight& flight, ToolCallResult result) {
  flight.events.end(result);
  results_[flight.index] = std::move(result);
}

// What the handler returned, unless it was told to stop or came after its time.
ToolCallResult CallGroup::final_result(Flight& flight) const {
  const bool landed = flight.result.has_value();
  if (landed && flight.order == Flight::Order::None && flight.landed_at <= flight.deadline) {
    return *std::move(flight.result);
  }
  Error error = flight.order == Flight::Order::Cancel ? cancelled_error(flight.call)
                                                      : timeout_error(flight.call, timeout_);
  if (!landed) error.message += " Its handler did not stop when told to and was left running.";
  return ToolCallResult::failure(flight.call, std::move(error));
}

}  // namespace goondan
