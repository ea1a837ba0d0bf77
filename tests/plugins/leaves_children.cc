// A handler that starts processes which do their best to survive it.
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <string>
#include <unistd.h>

#include <goondan/plugin.h>

namespace {

using goondan::Json;
using goondan::JsonObject;
using goondan::Result;
using goondan::ToolContext;

[[noreturn]] void stay(int fd) {
  for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT})
    ::signal(number, SIG_IGN);
  if (::write(fd, "r", 1) != 1) ::_exit(1);
  while (true)
    ::pause();
}

void start_child(int fd) {
  if (::fork() == 0) stay(fd);
}

// As daemons do: another session, and a parent that is gone.
void start_daemon(int fd) {
  if (::fork() != 0) return;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  stay(fd);
}

void start_program(const std::string& fifo) {
  if (::fork() != 0) return;
  const std::string script = "trap '' TERM HUP; echo -n r >&9; while :; do sleep 1000; done";
  const int fd = ::open(fifo.c_str(), O_WRONLY);
  ::dup2(fd, 9);
  ::close(fd);
  ::execlp("setsid", "setsid", "sh", "-c", script.c_str(), nullptr);
  ::_exit(1);
}

// `fifo` is held open by everything that is started: it ends when nothing is left. Three
// processes write a byte each when they are ready.
Result<Json> run(ToolContext&, const JsonObject& input) {
  const std::string fifo(input.at("fifo").as_string());
  const std::string end(input.at("then").as_string());
  const int fd = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
  start_child(fd);
  start_daemon(fd);
  start_program(fifo);
  std::atomic<bool> for_ever{end == "loop"};
  while (for_ever.load(std::memory_order_relaxed)) {
  }
  if (end == "crash") ::raise(SIGSEGV);
  if (end == "exit") std::_Exit(3);
  ::close(fd);
  return "left";
}

}  // namespace

GDN_PLUGIN({"run", run})
