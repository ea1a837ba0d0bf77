#include "os/own_children.h"

#include <mutex>
#include <set>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/pidfd.h"
#include "os/process_tree.h"
#include "os/wait.h"

namespace goondan::os {
namespace {

// One for the process, since its children are.
struct OwnChildren {
  std::mutex mutex;
  std::set<pid_t> pids;
  bool adopting = false;
};

OwnChildren& own_children() {
  static OwnChildren* const children = new OwnChildren;  // outlives whoever is destroyed at the end
  return *children;
}

std::vector<pid_t> orphans(const std::set<pid_t>& own) {
  std::vector<pid_t> pids = children_of(::getpid());
  const pid_t session = ::getsid(0);
  std::erase_if(pids, [&](pid_t pid) { return own.contains(pid) || ::getsid(pid) == session; });
  return pids;
}

// Only we wait for it, so its number stays its own until then.
void end_orphan(pid_t pid, Deadline deadline) {
  const UniqueFd pidfd = open_pidfd(pid);
  kill_tree(pid, deadline);
  if (pidfd) wait_readable(pidfd.get(), deadline);
  ::waitpid(pid, nullptr, WNOHANG);
}

}  // namespace

void adopt_orphans() {
  OwnChildren& own = own_children();
  const std::scoped_lock lock(own.mutex);
  own.adopting = ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

pid_t spawn_own_child(const std::function<pid_t()>& spawn) {
  OwnChildren& own = own_children();
  const std::scoped_lock lock(own.mutex);
  const pid_t pid = spawn();
  if (pid > 0) own.pids.insert(pid);
  return pid;
}

void forget_own_child(pid_t pid) {
  OwnChildren& own = own_children();
  const std::scoped_lock lock(own.mutex);
  own.pids.erase(pid);
}

void end_orphans(Deadline deadline) {
  OwnChildren& own = own_children();
  const std::scoped_lock lock(own.mutex);
  if (!own.adopting) return;
  do {
    const std::vector<pid_t> found = orphans(own.pids);
    if (found.empty()) return;
    for (const pid_t pid : found)
      end_orphan(pid, deadline);
  } while (Clock::now() < deadline);
}

}  // namespace goondan::os
