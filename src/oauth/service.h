// OAuth for a running process: the manager, and as long as a session is pending, the place where
// browsers come back to (loopback) and the polls of device codes, on a thread of its own.
#pragma once

#include <functional>
#include <memory>

#include "oauth/manager.h"

namespace goondan::oauth {

// Thread-safe. The thread and the listener exist only while a session of this process is pending;
// nothing is left of either after `stop` or the destructor.
class Service {
 public:
  struct Parts {
    Manager::Parts manager;  // its `redirects` is set here
    // Which sessions of the store are this process's, beside those it begins itself: those left by
    // an earlier process of the same agent instance. Empty: none.
    std::function<bool(const Resume&)> ours = {};
    // Whose undelivered grants are looked for: a `Resume::workspace`. Empty: nobody's.
    std::string workspace = {};
    // Tells the agent that waits; on the service's thread. Is tried again until it succeeds, also
    // by a later process. Empty: nobody is told here.
    std::function<Result<void>(const GrantedEvent&)> deliver = {};
    // Hears of every session of this process that has come to an end, also in another process, and
    // of those of others that ended here; on the service's thread, after the browser has its page.
    std::function<void(const CallbackOutcome&)> on_outcome = {};
    // Hears that another program listens where browsers are sent to: one of ours, or nobody who can
    // help them. On the thread that begins the session.
    std::function<void(const Error&)> on_taken_port = {};
  };

  // Takes up what an earlier process has left: listens again for its sessions, delivers what was
  // granted. Starts no thread if there is nothing.
  static Result<std::unique_ptr<Service>> start(Parts parts);
  ~Service();

  [[nodiscard]] Manager& manager();
  // Ends the thread and the listener; requests that wait are ended. Also by the destructor. Not to
  // be called on the service's thread.
  void stop();

 private:
  struct State;
  explicit Service(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace goondan::oauth
