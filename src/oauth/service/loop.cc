#include "oauth/service/loop.h"

#include <algorithm>
#include <sys/eventfd.h>
#include <utility>

#include "oauth/callback/page.h"

namespace goondan::oauth {

ServiceLoop::ServiceLoop(const Service::Parts& parts, Manager& manager, ServiceInbox& inbox,
                         const std::set<std::string>& others)
    : parts_(parts),
      manager_(manager),
      inbox_(inbox),
      others_(others),
      deliveries_(parts.deliver,
                  [&manager](const std::string& id) { return manager.mark_delivered(id); }),
      server_([this](CallbackServer::Id browser, CallbackParameters parameters) {
        start_exchange(browser, std::move(parameters));
      }) {
  collect_undelivered(Clock::now());
}

bool ServiceLoop::round() {
  eventfd_t ignored = 0;
  ::eventfd_read(inbox_.waker.get(), &ignored);  // before looking, so that no call is lost
  std::vector<FinishedJob> finished;
  bool changed = false;
  bool stopping = false;
  {
    const std::scoped_lock lock(inbox_.mutex);
    stopping = inbox_.stopping;
    if (!stopping) finished.swap(inbox_.finished);
    changed = std::exchange(inbox_.changed, false);
  }
  if (stopping) {
    stop();
    return false;
  }
  take_finished(std::move(finished));
  const Deadline now = Clock::now();
  if (changed || look_at_ <= now) look_at_sessions(now);
  start_polls(now);
  deliveries_.deliver_due(now);
  choose_places(now);
  if (idle()) {
    workers_.reset();
    return false;
  }
  server_.step(std::min({look_at_, deliveries_.next(), reserved_until_}), inbox_.waker.get());
  return true;
}

void ServiceLoop::take_finished(std::vector<FinishedJob> finished) {
  for (const FinishedJob& job : finished) {
    --jobs_;
    if (job.browser != 0) {
      server_.answer(job.browser, outcome_answer(job.outcome));
    } else {
      polled_[job.session_id] = {.not_before = Clock::now() + kLookAgain};
    }
    take_outcome(job.outcome);
  }
}

void ServiceLoop::take_outcome(const CallbackOutcome& outcome) {
  look_at_ = Clock::now();
  const bool known = sessions_.contains(outcome.session_id);
  if (outcome.granted && (known || (parts_.ours && parts_.ours(outcome.granted->resume)))) {
    deliveries_.add(*outcome.granted, Clock::now());
  }
  if (outcome.session_id.empty() || outcome.page == CallbackOutcome::Page::Pending ||
      outcome.page == CallbackOutcome::Page::Used)
    return;
  if (outcome.page != CallbackOutcome::Page::Connected && is_pending(outcome.session_id)) return;
  sessions_.erase(outcome.session_id);
  if (parts_.on_outcome) parts_.on_outcome(outcome);
}

void ServiceLoop::start_exchange(CallbackServer::Id browser, CallbackParameters parameters) {
  ++jobs_;
  workers().run([this, browser, parameters = std::move(parameters)](const std::stop_token& stop) {
    const Limit limit{.deadline = Clock::now() + kServiceCallTime, .stop = stop};
    inbox_.finish({.browser = browser, .outcome = manager_.complete(parameters, limit)});
  });
}

void ServiceLoop::start_polls(Deadline now) {
  std::erase_if(polled_, [this](const auto& one) {
    return !one.second.running && !sessions_.contains(one.first);
  });
  auto running = static_cast<std::size_t>(
      std::ranges::count_if(polled_, [](const auto& one) { return one.second.running; }));
  const auto clock = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t seconds = parts_.manager.now
                                   ? parts_.manager.now()
                                   : std::chrono::floor<std::chrono::seconds>(clock).count();
  for (const auto& [id, session] : sessions_) {
    Polled& polled = polled_[id];
    const bool due = session.redirect_uri.empty() && session.next_poll_at <= seconds;
    if (!due || polled.running || polled.not_before > now || running >= kMaxPollsAtOnce) continue;
    polled.running = true;
    ++running;
    ++jobs_;
    workers().run([this, session_id = id](const std::stop_token& stop) {
      const Limit limit{.deadline = Clock::now() + kServiceCallTime, .stop = stop};
      inbox_.finish({.session_id = session_id, .outcome = manager_.poll(session_id, limit)});
    });
  }
}

void ServiceLoop::choose_places(Deadline now) {
  std::set<CallbackPlace> wanted;
  for (const auto& [id, session] : sessions_)
    if (const auto place = place_of(session)) wanted.insert(*place);
  const std::scoped_lock lock(inbox_.mutex);
  std::erase_if(inbox_.reservations, [now](const auto& one) { return one.until <= now; });
  reserved_until_ = Deadline::max();
  for (const PlaceReservation& one : inbox_.reservations) {
    wanted.insert(one.place);
    reserved_until_ = std::min(reserved_until_, one.until);
  }
  const bool free_port_wanted = std::ranges::any_of(
      wanted, [this](const CallbackPlace& place) { return place.port == inbox_.free_port; });
  if (!free_port_wanted) inbox_.free_port = 0;
  for (LoopbackSocket& socket : std::exchange(inbox_.sockets, {}))
    server_.adopt(std::move(socket));
  std::vector<CallbackPlace> places(wanted.begin(), wanted.end());
  if (places == places_ && !places.empty()) return;
  places_ = places;
  server_.set_places(std::move(places));
}

bool ServiceLoop::idle() const {
  return sessions_.empty() && places_.empty() && deliveries_.empty() && jobs_ == 0 &&
         server_.connections() == 0;
}

void ServiceLoop::stop() {
  workers_.reset();  // asks what runs to stop, and waits for it
  std::vector<FinishedJob> finished;
  {
    const std::scoped_lock lock(inbox_.mutex);
    finished.swap(inbox_.finished);
  }
  for (const FinishedJob& job : finished)
    if (job.browser != 0) server_.answer(job.browser, outcome_answer(job.outcome));
  server_.refuse_rest();
}

ServiceWorkers& ServiceLoop::workers() {
  if (!workers_) workers_ = std::make_unique<ServiceWorkers>();
  return *workers_;
}

}  // namespace goondan::oauth
