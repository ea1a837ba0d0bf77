// Which sessions concern this process, and what has become of them.
#include <algorithm>

#include "oauth/service/loop.h"
#include "oauth/service/place.h"

namespace goondan::oauth {
namespace {

using EndedPage = CallbackOutcome::Page;

EndedPage page_for(std::string_view status) {
  if (status == "completed") return EndedPage::Connected;
  return status == "expired" ? EndedPage::Expired : EndedPage::Failed;
}

}  // namespace

void ServiceLoop::look_at_sessions(Deadline now) {
  Result<std::vector<PendingSession>> pending = manager_.pending_sessions();
  look_at_ = now + kLookAgain;
  if (!pending.ok()) return;
  std::map<std::string, PendingSession> before = std::exchange(sessions_, {});
  for (PendingSession& session : *pending) {
    const bool known = before.erase(session.id) > 0;
    if (!known && !ours(session)) continue;
    if (!known) consume_reservation(session);
    std::string id = session.id;
    sessions_.insert_or_assign(std::move(id), std::move(session));
  }
  // What is left has ended. If something of ours is under way, that may be what ended it: then its
  // browser comes first.
  if (jobs_ > 0) return sessions_.merge(before);
  // Else it ended without us: elsewhere, by its age, or because nobody wanted it. One whose code
  // another process exchanges just now has not ended yet.
  for (auto& [id, session] : before) {
    if (is_pending(id)) {
      sessions_.emplace(id, std::move(session));
    } else {
      report_ended(session);
    }
  }
  // Also for those that ended elsewhere before we had seen them.
  collect_undelivered(now);
  if (sessions_.empty()) look_at_ = Deadline::max();
}

bool ServiceLoop::is_pending(const std::string& session_id) const {
  const Result<std::string> status = manager_.session_status(session_id);
  return status.ok() && *status == "pending";
}

bool ServiceLoop::ours(const PendingSession& session) const {
  if (session.resume && parts_.ours && parts_.ours(*session.resume)) return true;
  if (session.redirect_uri.empty()) {
    // A command's device code: of this command, or of one that began later, which does no harm.
    return !session.resume && !parts_.ours && !others_.contains(session.id);
  }
  const std::optional<CallbackPlace> place = place_of(session);
  const std::scoped_lock lock(inbox_.mutex);
  return place && inbox_.own_ports.contains(place->port);
}

std::optional<CallbackPlace> ServiceLoop::place_of(const PendingSession& session) const {
  if (session.redirect_uri.empty()) return std::nullopt;
  return callback_place(session.redirect_uri, manager_.find_app(session.app));
}

void ServiceLoop::consume_reservation(const PendingSession& session) {
  const std::optional<CallbackPlace> place = place_of(session);
  const std::scoped_lock lock(inbox_.mutex);
  const auto found = std::ranges::find_if(
      inbox_.reservations, [&place](const auto& one) { return place && one.place == *place; });
  if (found != inbox_.reservations.end()) inbox_.reservations.erase(found);
}

void ServiceLoop::report_ended(const PendingSession& session) {
  if (!parts_.on_outcome) return;
  const Result<std::string> status = manager_.session_status(session.id);
  const EndedPage page = page_for(status.ok() ? *status : std::string());
  parts_.on_outcome({.page = page,
                     .session_id = session.id,
                     .app = session.app,
                     .problem = page == EndedPage::Expired ? "session_expired" : ""});
}

void ServiceLoop::collect_undelivered(Deadline now) {
  if (!parts_.deliver || parts_.workspace.empty()) return;
  Result<std::vector<GrantedEvent>> events = manager_.undelivered(parts_.workspace);
  if (!events.ok()) return;
  for (GrantedEvent& event : *events) {
    if (parts_.ours && parts_.ours(event.resume)) deliveries_.add(std::move(event), now);
  }
}

}  // namespace goondan::oauth
