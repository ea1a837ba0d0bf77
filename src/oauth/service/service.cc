#include "oauth/service.h"

#include <optional>
#include <thread>

#include "oauth/service/inbox.h"
#include "oauth/service/loop.h"
#include "oauth/service/place.h"

namespace goondan::oauth {
namespace {

// From the promise of a place to the session that is to come there, which is on disk by then.
constexpr std::chrono::seconds kPlaceReservation{20};

// Browsers go to another machine, which must know where to pass them on to.
Error nobody_knows_port(const App& app) {
  return {
      .code = ErrorCode::Config,
      .message = "OAuthApp/" + app.name +
                 ": redirect.baseUrl is not on this machine, and there "
                 "is no redirect.port",
      .suggestion = "Write the port that the server at redirect.baseUrl passes callbacks on to."};
}

}  // namespace

struct Service::State final : RedirectPlace {
  explicit State(Parts given);

  Result<std::string> redirect_uri(const App& app) override;
  void sessions_changed() override;
  // What an earlier process has left.
  Result<void> look_for_earlier();
  void stop();

  Parts parts;
  ServiceInbox inbox;
  Manager manager;
  std::set<std::string> others;  // sessions that were pending before us, and are not ours
  bool running = false;          // by the mutex of the inbox
  std::thread thread;            // likewise

 private:
  // `taken`: another listens there.
  Result<std::string> promised_uri(const App& app, std::optional<Error>& taken);
  void wake_thread();  // with the mutex
  void run();
};

Service::State::State(Parts given)
    : parts(std::move(given)), manager([this] {
        parts.manager.redirects = this;
        return parts.manager;
      }()) {}

Result<void> Service::State::look_for_earlier() {
  bool found = false;
  for (const PendingSession& session : GDN_TRY(manager.pending_sessions())) {
    if (session.resume && parts.ours && parts.ours(*session.resume)) {
      found = true;
    } else {
      others.insert(session.id);
    }
  }
  if (parts.deliver && !parts.workspace.empty()) {
    for (const GrantedEvent& event : GDN_TRY(manager.undelivered(parts.workspace)))
      found = found || (parts.ours && parts.ours(event.resume));
  }
  if (found) sessions_changed();
  return {};
}

Result<std::string> Service::State::redirect_uri(const App& app) {
  std::optional<Error> taken;
  Result<std::string> uri = promised_uri(app, taken);
  if (uri.ok() && taken && parts.on_taken_port) parts.on_taken_port(*taken);
  return uri;
}

Result<std::string> Service::State::promised_uri(const App& app, std::optional<Error>& taken) {
  std::uint16_t port = GDN_TRY(callback_port(app));
  const std::scoped_lock lock(inbox.mutex);
  if (inbox.stopping) {
    return Error{.code = ErrorCode::RuntimeUnavailable,
                 .message = "the process is ending; nobody would answer the browser"};
  }
  if (port != 0 || inbox.free_port == 0) {
    Result<LoopbackSocket> opened = listen_on_loopback(port);
    // Taken: by us already, by another process of ours, which completes the session if it has the
    // application, or by a program that we do not know.
    if (!opened.ok() && opened.error().code != ErrorCode::AlreadyRunning) return opened.error();
    if (!opened.ok() && !inbox.own_ports.contains(port)) taken = opened.error();
    if (opened.ok() && port == 0) inbox.free_port = opened->port;
    if (opened.ok()) inbox.sockets.push_back(*std::move(opened));
  }
  if (port == 0) port = inbox.free_port;
  std::string uri = redirect_uri_at(app, port);
  const std::optional<CallbackPlace> place = callback_place(uri, &app);
  if (!place) return nobody_knows_port(app);
  inbox.own_ports.insert(place->port);
  inbox.reservations.push_back({.place = *place, .until = Clock::now() + kPlaceReservation});
  wake_thread();
  return uri;
}

void Service::State::sessions_changed() {
  const std::scoped_lock lock(inbox.mutex);
  inbox.changed = true;
  wake_thread();
}

void Service::State::wake_thread() {
  if (inbox.stopping) return;
  if (!running) {
    if (thread.joinable()) thread.join();  // it has nothing left to do
    running = true;
    thread = std::thread([this] { run(); });
  }
  inbox.wake();
}

void Service::State::run() {
  ServiceLoop loop(parts, manager, inbox, others);
  while (true) {
    if (loop.round()) continue;
    const std::scoped_lock lock(inbox.mutex);
    const bool more = inbox.changed || !inbox.reservations.empty() || !inbox.finished.empty();
    if (more && !inbox.stopping) continue;
    running = false;
    return;
  }
}

void Service::State::stop() {
  std::thread ending;
  {
    const std::scoped_lock lock(inbox.mutex);
    inbox.stopping = true;
    inbox.wake();
    ending = std::move(thread);
  }
  if (ending.joinable()) ending.join();
}

Service::Service(std::unique_ptr<State> state) : state_(std::move(state)) {}

Service::~Service() {
  stop();
}

Result<std::unique_ptr<Service>> Service::start(Parts parts) {
  auto state = std::make_unique<State>(std::move(parts));
  // Its end stops what it may have begun.
  std::unique_ptr<Service> service(new Service(std::move(state)));
  if (!service->state_->inbox.waker) {
    return Error{.code = ErrorCode::Io, .message = "there are no file descriptors left"};
  }
  GDN_TRY(service->state_->look_for_earlier());
  return service;
}

Manager& Service::manager() {
  return state_->manager;
}

void Service::stop() {
  state_->stop();
}

}  // namespace goondan::oauth
