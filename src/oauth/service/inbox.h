// What other threads leave for the service's thread.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "oauth/callback/server.h"
#include "oauth/manager.h"
#include "os/unique_fd.h"

namespace goondan::oauth {

// The exchange of a code or a poll that has ended.
struct FinishedJob {
  CallbackServer::Id browser = 0;  // 0: a poll
  std::string session_id = {};     // of a poll
  CallbackOutcome outcome = {};
};

// A place that was promised to a session which is about to begin.
struct PlaceReservation {
  CallbackPlace place = {};
  Deadline until = {};
};

// Everything by `mutex`, but for `wake`.
struct ServiceInbox {
  ServiceInbox();

  // Makes the thread look again. Without the mutex or with it.
  void wake() const;
  void finish(FinishedJob job);

  std::mutex mutex;
  bool stopping = false;
  bool changed = false;  // sessions have
  std::vector<LoopbackSocket> sockets = {};
  std::vector<PlaceReservation> reservations = {};
  std::vector<FinishedJob> finished = {};
  std::uint16_t free_port = 0;             // that we listen on and nobody chose; 0: none
  std::set<std::uint16_t> own_ports = {};  // ever promised by this process
  os::UniqueFd waker;                      // readable: look again
};

}  // namespace goondan::oauth
