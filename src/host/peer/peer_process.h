// A peer that is a child process of ours, spoken to over a socket that is its descriptor 3.
//
// It is started with the first call (never before, so that a process that is forked has none), and
// again after it has ended. What it prints is heard by the listeners as `log`. Nothing that it says
// or leaves unsaid can hang us or make us grow: see the bounds in the headers of this folder.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "host/peer/peer.h"
#include "host/peer/restarts.h"
#include "os/child.h"

namespace goondan {

// After a deadline or a stop, the time for the other side to finish.
inline constexpr std::chrono::milliseconds kPeerCancelGrace{100};

struct PeerProcessOptions {
  std::string name;  // for messages, e.g. "the script host of agent 'a'"
  // How to start it; asked each time. Its standard descriptors and descriptor 3 are set by us. It
  // is started below a supervisor, see `os::spawn_supervised`.
  std::function<Result<os::ChildOptions>()> child;
  std::chrono::milliseconds start_time{30'000};  // until it has said hello
  peer::RestartPolicy restarts = {};
};

// Starts nothing yet. Not to be destroyed by one of its listeners, nor while calls run.
std::shared_ptr<Peer> make_peer_process(PeerProcessOptions options);

}  // namespace goondan
