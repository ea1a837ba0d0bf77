// What `Instances` keeps of one. Only its own files include this.
#pragma once

#include "ipc/channel.h"
#include "orchestrator/adopted_process.h"
#include "orchestrator/instances.h"

namespace goondan::orchestrator {

struct Instances::Instance {
  explicit Instance(InstanceName its_name) : name(std::move(its_name)) {}

  InstanceName name;
  std::string cwd = {};
  InstanceState state = InstanceState::Stopped;
  bool wanted = false;  // to be started again when it has ended
  bool told = false;    // to end, by us: its end is no crash
  bool ending = false;  // its end is being told

  std::string fingerprint = {};
  std::uint64_t link = 0;
  std::uint64_t spawn = 0;

  Backoff backoff = {};
  Deadline not_before = {};
  int crashes = 0;
  int start_crashes = 0;  // in a row
  int socket_tries = 0;   // in a row, without one
  std::int64_t turns = 0;
  std::string started_at = {};
  std::optional<Error> start_error = {};

  // Each watch goes before what it watches.
  std::unique_ptr<ipc::Peer> peer = {};
  Loop::Watch socket_watch = {};
  std::optional<AdoptedProcess> process = {};
  Loop::Watch process_watch = {};
  Loop::Timer timer = {};  // one at a time: for the back-off, `ready`, or the end
  std::vector<std::function<void()>> after_end = {};
};

}  // namespace goondan::orchestrator
