// The thread of a child: reads what it says and prints, sends what could not be sent at once, sees
// it end, and ends it.
#pragma once

#include <array>
#include <memory>
#include <poll.h>
#include <string>

#include "host/peer/child_output.h"
#include "host/peer/connection.h"
#include "host/peer/peer_listeners.h"
#include "os/child.h"

namespace goondan::peer {

// The time a child has to end by itself once its socket is closed, before it is killed; and that of
// one which owes a sign of life. With `kPeerCancelGrace` less than a second.
inline constexpr std::chrono::milliseconds kEndTime{750};
inline constexpr std::chrono::milliseconds kSilentEndTime{200};

// Confined to the thread that calls `run`.
class PeerReader {
 public:
  struct Parts {
    std::string name;  // for messages
    std::shared_ptr<Connection> connection;
    os::Child process;
    os::UniqueFd output;  // pipes that do not block
    os::UniqueFd errors;
    Deadline hello_by;
    PeerListeners& listeners;  // must outlive `run`
  };
  explicit PeerReader(Parts parts);

  // Until the child and everything it started is gone.
  void run();

 private:
  enum class From { Open, Empty, Closed };

  Result<void> watch();
  Result<void> look(const std::array<pollfd, 5>& fds);
  [[nodiscard]] Deadline due() const;
  [[nodiscard]] Error overdue() const;
  From fill();
  Result<From> receive();
  From read_pipe(int fd, ChildOutput& into);
  Result<void> take(Incoming message);
  Result<void> take_hello(const Incoming& message);
  Result<void> take_request(Incoming message);
  Result<void> drain();
  os::ExitStatus await_end(const Error& why);
  From hear_last_words();
  Error describe(const Error& why, const os::ExitStatus& status) const;
  void post_line(std::string line);

  Parts parts_;
  Connection& connection_;
  FrameDecoder decoder_;
  ChildOutput output_;
  ChildOutput errors_;
  bool greeted_ = false;
};

}  // namespace goondan::peer
