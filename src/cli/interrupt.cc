#include "cli/interrupt.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli/exit_codes.h"

namespace goondan::cli {
namespace {

sigset_t interrupting_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM}) {
    // Whoever started us may have chosen that we ignore it (a shell's background job, nohup).
    struct sigaction inherited {};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  sigaddset(&signals, SIGUSR2);  // our own, to wake the watcher when it should end
  return signals;
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t signals = interrupting_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  watcher_ = std::jthread([this](const std::stop_token& done) { watch(done); });
}

Interrupt::~Interrupt() {
  watcher_.request_stop();
  pthread_kill(watcher_.native_handle(), SIGUSR2);
}

void Interrupt::watch(const std::stop_token& done) {
  const sigset_t signals = interrupting_signals();
  while (!done.stop_requested()) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0 || signal == SIGUSR2) continue;
    if (!stop_.request_stop()) _exit(number(ExitCode::Interrupted));
  }
}

}  // namespace goondan::cli
