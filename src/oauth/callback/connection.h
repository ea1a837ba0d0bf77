// One connection of a browser to the callback: reads a head, later writes an answer, ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <goondan/tool_context.h>

#include "os/unique_fd.h"

namespace goondan::oauth {

// For the head, and for each of what follows it.
inline constexpr std::chrono::seconds kCallbackTime{10};
// How long a connection may be silent while others wait for its place.
inline constexpr std::chrono::milliseconds kCallbackSilence{100};
// The same for one that says a byte now and then.
inline constexpr std::chrono::seconds kCallbackPatience{1};

// Confined to one thread.
class CallbackConnection {
 public:
  enum class Phase {
    Reading,   // the head
    Asked,     // the head is there; whoever has it answers
    Writing,   // the answer
    Draining,  // so that bytes which nobody reads do not take the answer away from the browser
    Over,
  };

  CallbackConnection(os::UniqueFd fd, std::uint16_t port, Deadline now);

  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  // What to poll; -1 while there is nothing to wait for.
  [[nodiscard]] int fd() const;
  [[nodiscard]] short events() const;
  // When `time_passed` has something to do.
  [[nodiscard]] Deadline deadline() const {
    return phase_ == Phase::Asked ? Deadline::max() : end_;
  }
  // When another may have its place; never while it is being answered.
  [[nodiscard]] Deadline gives_way_at() const;

  // Does what the descriptor is ready for. Returns the head once it is whole, without its blank
  // line; `answer` is to be called then.
  std::optional<std::string> proceed(Deadline now);
  void answer(std::string text, Deadline now);
  void time_passed(Deadline now);

 private:
  std::optional<std::string> read_head(Deadline now);
  void write(Deadline now);
  void drain(Deadline now);
  // What `recv` has brought; none: nothing for now, or the end, which is noted.
  std::optional<std::string> receive(Deadline now);

  os::UniqueFd fd_;
  std::uint16_t port_;
  Phase phase_ = Phase::Reading;
  Deadline begun_;      // this phase
  Deadline last_byte_;  // of the browser
  Deadline end_;
  std::string text_;  // read so far, or yet to be written
  std::size_t drained_ = 0;
};

}  // namespace goondan::oauth
