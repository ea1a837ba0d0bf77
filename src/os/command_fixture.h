// What the tests of commands share. The test program is its own command host.
#pragma once

#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "os/command_host.h"

namespace goondan::os::test {

inline CommandHostOptions host_options() {
  return {.program = "/proc/self/exe", .environment = {"PATH=/usr/bin:/bin", "HOST=clean"}};
}

// Long enough for anything that works, also on a busy machine.
inline Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

inline UniqueFd folder(const char* path = "/") {
  return UniqueFd(::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

inline Command shell(std::string text, Deadline deadline = soon()) {
  return {.texts = {.argv = {"/bin/sh", "-c", std::move(text)},
                    .environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"}},
          .folder = folder(),
          .deadline = deadline};
}

// What a stream holds, with nothing in it to mask.
inline std::string text_of(const CommandOutput& output) {
  return output.text(Redactor());
}

// What a command printed; a failed start is a failed test.
inline std::string output_of(CommandHost& host, std::string text) {
  const Result<CommandOutcome> outcome = host.run(shell(std::move(text)));
  if (!outcome.ok()) return "failed: " + outcome.error().message;
  return text_of(outcome->out) + text_of(outcome->err);
}

// A pipe whose end of file says that no process holds its write end any more. Give `path()` to a
// command: whatever opens it for writing is seen until it is gone.
class Survivors {
 public:
  Survivors();
  ~Survivors();
  Survivors(const Survivors&) = delete;
  Survivors& operator=(const Survivors&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  // Waits for a line and returns it; what there is of it if none comes.
  [[nodiscard]] std::string line() const;
  // Waits until so many lines have been written to it.
  [[nodiscard]] bool seen(std::size_t lines = 1) const;
  // Waits until nobody holds it.
  [[nodiscard]] bool gone() const;

 private:
  std::string path_;
  UniqueFd reader_;
};

}  // namespace goondan::os::test
