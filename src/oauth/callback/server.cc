#include "oauth/callback/server.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>

#include "oauth/callback/page.h"

namespace goondan::oauth {
namespace {

using Phase = CallbackConnection::Phase;

constexpr std::chrono::milliseconds kNoDescriptors{100};
// So that the time fits into what `poll` takes.
constexpr std::chrono::hours kLongestPoll{1};

void poll_until(std::vector<pollfd>& fds, Deadline until) {
  const Deadline now = Clock::now();
  const auto left =
      std::min<Clock::duration>(until <= now ? Clock::duration{0} : until - now, kLongestPoll);
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(left);
  // An interrupted wait is an early end of this step.
  if (::poll(fds.data(), fds.size(), static_cast<int>(rounded.count())) < 0) {
    for (pollfd& one : fds)
      one.revents = 0;
  }
}

}  // namespace

void CallbackServer::adopt(LoopbackSocket socket) {
  listeners_.insert_or_assign(socket.port, std::move(socket.fd));
}

void CallbackServer::set_places(std::vector<CallbackPlace> places) {
  places_ = std::move(places);
  std::erase_if(listeners_, [this](const auto& one) { return !wanted(one.first); });
  open_missing(Clock::now());
}

bool CallbackServer::wanted(std::uint16_t port) const {
  return std::ranges::any_of(places_, [port](const auto& place) { return place.port == port; });
}

void CallbackServer::open_missing(Deadline now) {
  retry_at_ = Deadline::max();
  for (const CallbackPlace& place : places_) {
    if (listeners_.contains(place.port)) continue;
    Result<LoopbackSocket> opened = listen_on_loopback(place.port);
    // Mostly another process of ours has it, which can complete our sessions too.
    if (!opened.ok()) retry_at_ = now + kPortRetry;
    if (opened.ok()) adopt(*std::move(opened));
  }
}

std::size_t CallbackServer::unanswered() const {
  return static_cast<std::size_t>(std::ranges::count_if(connections_, [](const auto& one) {
    return one.second.phase() == Phase::Asked || one.second.phase() == Phase::Writing;
  }));
}

bool CallbackServer::others_wait() const {
  std::vector<pollfd> fds;
  for (const auto& [port, listener] : listeners_)
    fds.push_back({.fd = listener.get(), .events = POLLIN, .revents = 0});
  return ::poll(fds.data(), fds.size(), 0) > 0;
}

Deadline CallbackServer::next_event(Deadline until, bool waiting) const {
  Deadline next = std::min(until, retry_at_);
  if (accept_after_ > Clock::now()) next = std::min(next, accept_after_);
  for (const auto& [id, connection] : connections_) {
    next = std::min(next, connection.deadline());
    if (waiting) next = std::min(next, connection.gives_way_at());
  }
  return next;
}

void CallbackServer::step(Deadline until, int wake) {
  if (retry_at_ <= Clock::now()) open_missing(Clock::now());
  const bool waiting = full() && others_wait();
  const bool accepting = !waiting && accept_after_ <= Clock::now();
  std::vector<pollfd> fds{{.fd = wake, .events = POLLIN, .revents = 0}};
  std::vector<std::uint16_t> ports;
  std::vector<Id> ids;
  for (const auto& [id, connection] : connections_) {
    ids.push_back(id);
    fds.push_back({.fd = connection.fd(), .events = connection.events(), .revents = 0});
  }
  for (const auto& [port, listener] : listeners_) {
    ports.push_back(port);
    fds.push_back({.fd = accepting ? listener.get() : -1, .events = POLLIN, .revents = 0});
  }
  poll_until(fds, next_event(until, waiting));
  const Deadline now = Clock::now();
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (fds[1 + i].revents != 0) serve(ids[i], connections_.at(ids[i]), now);
  end_some(waiting, now);
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (fds[1 + ids.size() + i].revents != 0)
      accept_from(ports[i], fds[1 + ids.size() + i].fd, now);
}

void CallbackServer::serve(Id id, CallbackConnection& connection, Deadline now) {
  if (const std::optional<std::string> head = connection.proceed(now))
    ask(id, connection, *head, now);
}

// A page of elsewhere whose name was made to lead here would ask with that name.
bool CallbackServer::host_fits(const CallbackConnection& connection,
                               const std::string& host) const {
  if (host == "127.0.0.1:" + std::to_string(connection.port())) return true;
  return std::ranges::any_of(places_, [&](const CallbackPlace& place) {
    return place.port == connection.port() && !place.host.empty() && place.host == host;
  });
}

void CallbackServer::ask(Id id, CallbackConnection& connection, std::string_view head,
                         Deadline now) {
  const auto parsed = parse_callback_request(head);
  if (const auto* bad = std::get_if<BadRequest>(&parsed))
    return connection.answer(refusal_answer(bad->status), now);
  const auto& request = std::get<CallbackRequest>(parsed);
  const bool known = std::ranges::any_of(places_, [&](const CallbackPlace& place) {
    return place.port == connection.port() && place.path == request.path;
  });
  int refusal = request.method == "GET" ? 0 : 405;
  if (!known) refusal = 404;
  if (!host_fits(connection, request.host)) refusal = 400;
  if (refusal != 0) return connection.answer(refusal_answer(refusal), now);
  auto parameters = parse_callback_query(request.query);
  if (const auto* bad = std::get_if<BadRequest>(&parameters))
    return connection.answer(refusal_answer(bad->status), now);
  on_callback_(id, std::get<CallbackParameters>(std::move(parameters)));
}

void CallbackServer::answer(Id id, std::string text) {
  const auto found = connections_.find(id);
  if (found != connections_.end()) found->second.answer(std::move(text), Clock::now());
}

void CallbackServer::refuse_rest() {
  constexpr int kServiceUnavailable = 503;
  for (auto& [id, connection] : connections_) {
    if (connection.phase() == Phase::Asked)
      connection.answer(refusal_answer(kServiceUnavailable), Clock::now());
  }
}

void CallbackServer::end_some(bool waiting, Deadline now) {
  for (auto& [id, connection] : connections_)
    connection.time_passed(now);
  std::erase_if(connections_, [waiting, now](const auto& one) {
    return one.second.phase() == Phase::Over || (waiting && one.second.gives_way_at() <= now);
  });
}

void CallbackServer::accept_from(std::uint16_t port, int listener, Deadline now) {
  while (!full()) {
    os::UniqueFd fd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) {
      const bool none_left = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
      if (none_left) accept_after_ = now + kNoDescriptors;
      return;
    }
    connections_.emplace(++last_id_, CallbackConnection(std::move(fd), port, now));
  }
}

}  // namespace goondan::oauth
