#include "os/process_tree.h"

#include <charconv>
#include <dirent.h>
#include <fstream>
#include <iterator>
#include <set>
#include <signal.h>
#include <unistd.h>

#include "os/pidfd.h"
#include "os/wait.h"

namespace goondan::os {
namespace {

std::string read_proc(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<pid_t> parse_numbers(std::string_view text) {
  std::vector<pid_t> numbers;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end) {
    pid_t number = 0;
    const auto parsed = std::from_chars(at, end, number);
    if (parsed.ec == std::errc{}) numbers.push_back(number);
    at = parsed.ec == std::errc{} ? parsed.ptr : at + 1;
  }
  return numbers;
}

std::vector<pid_t> numbers_in_folder(const std::string& path) {
  std::vector<pid_t> numbers;
  DIR* const folder = ::opendir(path.c_str());
  if (folder == nullptr) return numbers;
  while (const dirent* entry = ::readdir(folder)) {
    const std::vector<pid_t> parsed = parse_numbers(entry->d_name);
    if (parsed.size() == 1) numbers.push_back(parsed.front());
  }
  ::closedir(folder);
  return numbers;
}

struct Status {
  char state = 'X';  // as in /proc: R, S, T, Z ...; X: gone
  pid_t parent = 0;

  [[nodiscard]] bool running() const { return state != 'Z' && state != 'X'; }
};

// In `stat` the name may hold anything, so the fields are counted from its closing parenthesis.
Status status_of(pid_t pid) {
  const std::string stat = read_proc("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || stat.size() < name_end + 4) return {};
  const std::vector<pid_t> fields = parse_numbers(std::string_view(stat).substr(name_end + 4));
  return {.state = stat[name_end + 2], .parent = fields.empty() ? 0 : fields.front()};
}

// For kernels built without the `children` files: looks at every process there is.
std::vector<pid_t> children_by_scan(pid_t pid) {
  std::vector<pid_t> children = numbers_in_folder("/proc");
  std::erase_if(children, [pid](pid_t candidate) { return status_of(candidate).parent != pid; });
  return children;
}

// A descendant, held by a descriptor so that a reused number is never signalled. Without one (they
// may have run out) the number has to do.
struct Member {
  pid_t pid;
  UniqueFd pidfd;

  void signal(int number) const {
    if (pidfd) {
      signal_pidfd(pidfd.get(), number);
    } else {
      ::kill(pid, number);
    }
  }

  [[nodiscard]] bool ended_by(Deadline deadline) const {
    return !pidfd || wait_readable(pidfd.get(), deadline, StopWaker()) == Wake::Ready;
  }
};

// All running descendants of `root`, each stopped. A process is stopped before its own children are
// listed. The walk is repeated until it meets nobody new, dead or alive: the child of someone who
// died meanwhile turns up as a child of `root`.
class Freezer {
 public:
  Freezer(pid_t root, Deadline deadline) : root_(root) {
    std::size_t before = 0;
    do {
      before = met_.size();
      add_children_of(root_);
      for (std::size_t i = 0; i < members_.size(); ++i)
        add_children_of(members_[i].pid);
    } while (met_.size() > before && Clock::now() < deadline);
  }

  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

 private:
  void add_children_of(pid_t parent) {
    for (const pid_t child : children_of(parent)) {
      if (!met_.contains(child)) add(child);
    }
  }

  void add(pid_t child) {
    Member member{.pid = child, .pidfd = open_pidfd(child)};
    // Asked after the descriptor exists: if the number was reused, the parent is a stranger.
    const Status status = status_of(child);
    if (status.parent != root_ && !met_.contains(status.parent)) return;
    met_.insert(child);
    // A process whose main thread has ended looks dead while its other threads still end, and its
    // children belong to these until then. Only its descriptor says that all of it is gone.
    if (status.state == 'X' || (!status.running() && member.ended_by(Clock::now()))) return;
    member.signal(SIGSTOP);
    members_.push_back(std::move(member));
  }

  pid_t root_;
  std::set<pid_t> met_;
  std::vector<Member> members_;
};

}  // namespace

std::vector<pid_t> children_of(pid_t pid) {
  static const bool has_children_files = ::access("/proc/thread-self/children", R_OK) == 0;
  if (!has_children_files) return children_by_scan(pid);
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  std::vector<pid_t> children;
  for (const pid_t task : numbers_in_folder(tasks)) {
    const std::string path = tasks + "/" + std::to_string(task) + "/children";
    std::ranges::copy(parse_numbers(read_proc(path)), std::back_inserter(children));
  }
  return children;
}

Killed kill_descendants(pid_t root, Deadline deadline) {
  while (true) {
    const Freezer frozen(root, deadline);
    if (frozen.members().empty()) return Killed::All;
    if (deadline <= Clock::now()) return Killed::SomeLeft;
    for (const Member& member : frozen.members())
      member.signal(SIGKILL);
    for (const Member& member : frozen.members()) {
      if (!member.ended_by(deadline)) return Killed::SomeLeft;
    }
  }
}

Killed kill_tree(pid_t pid, Deadline deadline) {
  ::kill(pid, SIGSTOP);
  const Killed killed = kill_descendants(pid, deadline);
  if (::getpgid(pid) == pid) ::kill(-pid, SIGKILL);
  ::kill(pid, SIGKILL);
  return killed;
}

}  // namespace goondan::os
